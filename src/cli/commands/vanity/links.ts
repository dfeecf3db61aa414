import { createCheckLink } from '#server/vanity/invites.ts';
import { isDryRun, type RunCommand } from '../../command.ts';
import { badInput } from '../../refusals.ts';
import { plural, table, visible } from '../../output.ts';
import { findLink, findServer } from './add.ts';

export const listLinks: RunCommand = async (context) => {
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
};

export const pauseLink: RunCommand = async (context, { words: [name = ''] }) => {
  const { vanityLinks, link } = await findLink(context, name);
  await vanityLinks.update(link.name, { paused_because: 'operator' });
  return { data: { name: link.name, paused_because: 'operator' }, lines: [`/${link.name} is paused.`] };
};

export const resumeLink: RunCommand = async (context, { words: [name = ''], flags }) => {
  const { vanityLinks, link } = await findLink(context, name);
  const { guildId, guildName } = await findServer(
    context,
    link.invite_code,
    badInput('The invite no longer works', 'remove the link and add it with a new invite.'),
  );
  if (guildId !== link.guild_id && flags['repin'] !== true)
    throw badInput(
      `The invite now leads to a different server, ${visible(guildName)}`,
      'add --repin if that is right.',
    );
  const update = { guild_id: guildId, paused_because: null, checked_at: context.now() };
  await vanityLinks.update(link.name, update);
  return {
    data: { name: link.name, paused_because: null, guild_id: guildId, guild_name: guildName },
    lines: [`/${link.name} leads to ${visible(guildName)}.`],
  };
};

export const removeLink: RunCommand = async (context, input) => {
  const { vanityLinks } = await context.openRecords();
  const name = (input.words[0] ?? '').toLowerCase();
  if ((await vanityLinks.find(name)) === undefined)
    return {
      data: { name, removed: false },
      lines: [`There is no link /${visible(name)}: nothing was deleted.`],
    };
  await context.confirm();
  if (!isDryRun(input)) await vanityLinks.remove(name);
  return {
    data: { name, removed: true },
    lines: [`/${name} ${isDryRun(input) ? 'would be' : 'was'} deleted.`],
  };
};

export const checkLinks: RunCommand = async (context, { words: [name] }) => {
  const { vanityLinks } = await context.openRecords();
  const links = name === undefined ? await vanityLinks.all() : [(await findLink(context, name)).link];
  const platform = (await context.platform()).api;
  const checkLink = createCheckLink(context.system.clock, vanityLinks, platform);
  const results = [];
  for await (const link of context.oneByOne(links))
    results.push({ name: link.name, verdict: await checkLink(link) });
  return {
    data: { links: results },
    lines: [...table(['NAME', 'VERDICT'], results), `${plural(links.length, 'link')} checked.`],
    state: results.every(({ verdict }) => verdict === 'good') ? 'ok' : 'failed',
  };
};
