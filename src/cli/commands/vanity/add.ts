import type { OperatorError } from '#server/operator-error.ts';
import { findInvite, parseInviteCode, parseVanityName } from '#server/vanity/vanity-links.ts';
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

const taken = (name: string) => badInput(`The name ${name} is taken`, 'choose another, or add --replace.');

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

/** Run again, or with --replace, it changes what is there; notes that are not given stay. */
export const addLink: RunCommand = async (context, { words: [nameText = '', inviteText = ''], flags }) => {
  const name = readName(nameText);
  const invite_code = readInvite(inviteText);
  const notes = readNotes(flags);
  const given = Object.fromEntries(Object.entries(notes).filter(([, note]) => note !== null));
  const { vanityLinks } = await context.openRecords();
  const existing = await vanityLinks.find(name);
  const wanted = JSON.stringify({ ...existing, invite_code, ...given });
  if (existing !== undefined && flags['replace'] !== true) {
    if (wanted !== JSON.stringify(existing)) throw taken(name);
    return { lines: [`/${name} is there already, with this invite and these notes: nothing was changed.`] };
  }
  const { guildId, guildName } = await findServer(
    context,
    invite_code,
    badInput('This invite does not exist: it has expired or was mistyped.'),
  );
  const target = { invite_code, guild_id: guildId, paused_because: null, checked_at: context.now() };
  if (existing !== undefined) await vanityLinks.update(name, { ...target, ...given });
  else if (!(await vanityLinks.add({ name, ...target, created_day: context.now().slice(0, 10), ...notes })))
    throw taken(name);
  const { vanityMinEur } = context.config;
  return {
    lines: [
      `/${name} leads to ${visible(guildName)} (server ${guildId}).`,
      notes.amount_eur !== null &&
        notes.amount_eur < vanityMinEur &&
        `The donation is less than VANITY_MIN_EUR, which is ${vanityMinEur}.`,
    ],
  };
};
