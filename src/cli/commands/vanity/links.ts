import type { RunCommand } from '../../command.ts';
import { badInput } from '../../refusals.ts';
import { plural, table, visible } from '../../output.ts';
import { findLink, findServer } from './add.ts';

export const listLinks: RunCommand = async (context) => {
  const links = await (await context.openRecords()).vanityLinks.all();
  return {
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
  return { lines: [`/${link.name} is paused.`] };
};

export const resumeLink: RunCommand = async (context, { words: [name = ''] }) => {
  const { vanityLinks, link } = await findLink(context, name);
  const { guildId, guildName } = await findServer(
    context,
    link.invite_code,
    badInput(
      'The invite no longer works',
      `give it a new one with vanity add ${link.name} <invite> --replace.`,
    ),
  );
  if (guildId !== link.guild_id)
    throw badInput(
      `The invite now leads to a different server, ${visible(guildName)}`,
      `if that is right, run vanity add ${link.name} ${link.invite_code} --replace.`,
    );
  await vanityLinks.update(link.name, { paused_because: null, checked_at: context.now() });
  return { lines: [`/${link.name} leads to ${visible(guildName)}.`] };
};

export const removeLink: RunCommand = async (context, input) => {
  const { vanityLinks } = await context.openRecords();
  const name = (input.words[0] ?? '').toLowerCase();
  if ((await vanityLinks.find(name)) === undefined)
    return { lines: [`There is no link /${visible(name)}: nothing was deleted.`] };
  await context.confirm();
  await vanityLinks.remove(name);
  return { lines: [`/${name} was deleted.`] };
};
