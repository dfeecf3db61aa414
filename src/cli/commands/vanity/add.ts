import type { OperatorError } from '#server/operator-error.ts';
import { findInvite } from '#server/vanity/invites.ts';
import { parseInviteCode } from '#server/vanity/vanity-links.ts';
import { parseVanityName } from '#server/vanity/vanity-name.ts';
import type { RunCommand, CommandContext, CommandInput } from '../../command.ts';
import { badInput, failed } from '../../refusals.ts';
import { visible } from '../../output.ts';

const MAX_DONOR = 200;
const isDonor = (text: string): boolean => text.length <= MAX_DONOR && visible(text) === text;
const isAmount = (text: string): boolean => /^\d{1,6}(?:\.\d{1,2})?$/.test(text);
const isDay = (text: string): boolean => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
};

const readName = (text: string): string => {
  const parsed = parseVanityName(text);
  if (parsed.ok) return parsed.name;
  throw {
    malformed: badInput('A name is 2 to 32 letters, digits or hyphens, with no hyphen at either end.'),
    'digits-only': badInput('A name made of digits only looks like an ID', 'add a letter.'),
    reserved: badInput(`The name ${text.toLowerCase()} is reserved`, 'choose another.'),
  }[parsed.problem];
};

type OptionText = CommandInput['flags'][string];

const readOption = (text: OptionText, isRight: (text: string) => boolean, rule: string): string | null => {
  if (typeof text !== 'string') return null;
  if (isRight(text)) return text;
  throw badInput(rule);
};

const readNotes = ({ donor, eur, date }: CommandInput['flags']) => {
  const amount = readOption(eur, isAmount, '--eur takes an amount such as 18 or 18.50.');
  return {
    donor: readOption(donor, isDonor, `--donor takes one line of at most ${MAX_DONOR} characters.`),
    amount_eur: amount === null ? null : Number(amount),
    donated_on: readOption(date, isDay, '--date takes a day such as 2026-05-01.'),
  };
};

const readInvite = (text: string): string => {
  const code = parseInviteCode(text);
  if (code !== null) return code;
  throw badInput('Not a Discord invite', 'use its code, or a link such as https://discord.gg/code.');
};

const noInvite = () => badInput('This invite does not exist: it has expired or was mistyped.');

export const findLink = async (context: CommandContext, text: string) => {
  const { vanityLinks } = await context.openRecords();
  const link = await vanityLinks.find(text.toLowerCase());
  if (link === undefined) throw badInput('There is no link with this name', 'see vanity list.');
  return { vanityLinks, link };
};

export const findServer = async ({ platform }: CommandContext, code: string, gone: OperatorError) => {
  const invite = await findInvite((await platform()).api, code);
  if (invite.kind === 'unclear') throw failed('The platform is not answering properly: nothing was changed.');
  if (invite.kind === 'gone') throw gone;
  if (invite.kind === 'found') return invite;
  throw badInput('The invite leads to a group or a friend', 'use one that leads to a server.');
};

export const addLink: RunCommand = async (context, { words: [nameText = '', inviteText = ''], flags }) => {
  const name = readName(nameText);
  const code = readInvite(inviteText);
  const notes = readNotes(flags);
  const { vanityLinks } = await context.openRecords();
  const taken = badInput(`The name ${name} is taken`, 'choose another, or see vanity change.');
  const existing = await vanityLinks.find(name);
  if (existing !== undefined) {
    const wanted = { ...existing, invite_code: code, ...notes };
    if (JSON.stringify(wanted) !== JSON.stringify(existing)) throw taken;
    return {
      data: { name, added: false, invite_code: code, guild_id: existing.guild_id, guild_name: null },
      lines: [`/${name} is there already, with this invite and these notes: nothing was changed.`],
    };
  }
  const { guildId, guildName } = await findServer(context, code, noInvite());
  const now = context.now();
  const added = await vanityLinks.add({
    name,
    invite_code: code,
    guild_id: guildId,
    paused_because: null,
    checked_at: now,
    created_day: now.slice(0, 10),
    ...notes,
  });
  if (!added) throw taken;
  return {
    data: { name, added: true, invite_code: code, guild_id: guildId, guild_name: guildName },
    lines: [`/${name} leads to ${visible(guildName)} (server ${guildId}).`],
  };
};

export const changeLink: RunCommand = async (context, { words: [nameText = ''], flags }) => {
  const { vanityLinks, link } = await findLink(context, nameText);
  const notes = Object.fromEntries(Object.entries(readNotes(flags)).filter(([, note]) => note !== null));
  const { invite } = flags;
  const code = typeof invite === 'string' ? readInvite(invite) : link.invite_code;
  const server = code === link.invite_code ? null : await findServer(context, code, noInvite());
  const moved = server && {
    invite_code: code,
    guild_id: server.guildId,
    paused_because: null,
    checked_at: context.now(),
  };
  if (Object.keys({ ...notes, ...moved }).length === 0)
    throw badInput('Nothing to change', 'give --invite, --donor, --eur or --date.');
  await vanityLinks.update(link.name, { ...notes, ...moved });
  return {
    data: { name: link.name, invite_code: code, guild_id: moved?.guild_id ?? link.guild_id },
    lines: [
      server === null
        ? `The notes of /${link.name} were changed.`
        : `/${link.name} leads to ${visible(server.guildName)} (server ${server.guildId}).`,
    ],
  };
};
