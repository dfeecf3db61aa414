import { createCheckLink } from '#server/vanity/check-link.ts';
import { badInput, type Command, type CommandContext } from '../command.ts';
import { plural, table, visible } from '../output.ts';
import { addVanityLink, findServer } from './add-vanity-link.ts';

const findLink = async (context: CommandContext, text: string) => {
  const { vanityLinks } = await context.openRecords();
  const link = await vanityLinks.find(text.toLowerCase());
  if (link === undefined) throw badInput('There is no link by this name', 'vanity list shows them.');
  return { vanityLinks, link };
};

const list: Command = {
  name: 'vanity list',
  summary: 'all links with their state and your notes',
  run: async (context) => {
    const links = await (await context.openRecords()).vanityLinks.all();
    return {
      data: { links },
      lines: [
        ...table(
          ['NAME', 'INVITE', 'STATE', 'CHECKED', 'DONOR', 'EUR', 'DATE'],
          links.map((link) => [
            link.name,
            link.invite_code,
            link.paused_because === null ? 'active' : `paused: ${link.paused_because}`,
            link.checked_at.slice(0, 10),
            link.donor,
            link.amount_eur,
            link.donated_on,
          ]),
        ),
        `${plural(links.length, 'link')}.`,
      ],
    };
  },
};

const pause: Command = {
  name: 'vanity pause',
  parameters: '<name>',
  summary: 'shows a page instead of leading to the server',
  run: async (context, { words: [name = ''] }) => {
    const { vanityLinks, link } = await findLink(context, name);
    await vanityLinks.update(link.name, { paused_because: 'operator' });
    return { data: { name: link.name, state: 'paused: operator' }, lines: [`/${link.name} is paused.`] };
  },
};

const resume: Command = {
  name: 'vanity resume',
  parameters: '<name>',
  summary: 'checks the invite, and lets the link lead to the server again',
  options: { repin: { type: 'boolean', help: 'accept that the invite leads to another server now' } },
  run: async (context, { words: [name = ''], flags }) => {
    const { vanityLinks, link } = await findLink(context, name);
    const { guildId, guildName } = await findServer(
      context,
      link.invite_code,
      badInput('The invite leads nowhere any more', 'remove the link, and add it with a new invite.'),
    );
    if (guildId !== link.guild_id && flags['repin'] !== true)
      throw badInput(
        `The invite leads to another server now, ${visible(guildName)}`,
        'add --repin if that is right.',
      );
    const update = { guild_id: guildId, paused_because: null, checked_at: context.now() };
    await vanityLinks.update(link.name, update);
    return {
      data: { name: link.name, state: 'active', guild_id: guildId, guild_name: guildName },
      lines: [`/${link.name} leads to ${visible(guildName)}.`],
    };
  },
};

const remove: Command = {
  name: 'vanity remove',
  parameters: '<name>',
  summary: 'deletes a link and its notes',
  destroys: ({ words }) => `delete the link ${words[0]}`,
  run: async (context, { words: [name = ''] }) => {
    const { vanityLinks, link } = await findLink(context, name);
    await vanityLinks.remove(link.name);
    return { data: { removed: link.name }, lines: [`/${link.name} is gone.`] };
  },
};

const PACE_MS = 1_000;

const check: Command = {
  name: 'vanity check',
  parameters: '[name]',
  summary: 'asks where the invites lead, and pauses the links that lead elsewhere or nowhere',
  run: async (context, { words: [name] }) => {
    const { vanityLinks } = await context.openRecords();
    const links = name === undefined ? await vanityLinks.all() : [(await findLink(context, name)).link];
    const platform = context.platform().door;
    const checkLink = createCheckLink({ clock: context.system.clock, store: vanityLinks, platform });
    const results = [];
    for await (const link of context.oneByOne(links, PACE_MS))
      results.push({ name: link.name, verdict: await checkLink(link) });
    return {
      data: { links: results },
      lines: [...table(['NAME', 'VERDICT'], results), `${plural(links.length, 'link')} checked.`],
      foundProblems: results.some(({ verdict }) => verdict !== 'good'),
    };
  },
};

export const VANITY_COMMANDS: readonly Command[] = [list, addVanityLink, pause, resume, remove, check];
