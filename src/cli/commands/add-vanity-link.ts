import { findInvite, parseInviteCode } from '#server/vanity/invite.ts';
import { parseVanityName } from '#server/vanity/vanity-name.ts';
import { badInput, failed, type Command, type CommandInput } from '../command.ts';
import { visible } from '../output.ts';

const readName = (text: string): string => {
  const parsed = parseVanityName(text);
  if (parsed.ok) return parsed.name;
  switch (parsed.problem) {
    case 'malformed':
      throw badInput('A name has 2 to 32 letters, digits and hyphens, and no hyphen at an end.');
    case 'digits-only':
      throw badInput('A name of digits only would be taken for an id: put a letter into it.');
    case 'reserved':
      throw badInput(`The name ${text.toLowerCase()} is reserved: choose another.`);
  }
};

const readInvite = (text: string): string => {
  const code = parseInviteCode(text);
  if (code === null)
    throw badInput(
      'The invite is foreign or malformed: give its code, or a link such as https://discord.gg/code.',
    );
  return code;
};

const MAX_DONOR = 200;

const readDonor = (text: unknown): string | null => {
  if (typeof text !== 'string') return null;
  if (text.length <= MAX_DONOR && visible(text) === text) return text;
  throw badInput(`--donor takes one line of at most ${MAX_DONOR} characters.`);
};

const readAmount = (text: unknown): number | null => {
  if (typeof text !== 'string') return null;
  if (/^\d{1,6}(?:\.\d{1,2})?$/.test(text)) return Number(text);
  throw badInput('--eur takes an amount such as 18 or 18.50.');
};

const readDate = (text: unknown): string | null => {
  if (typeof text !== 'string') return null;
  if (isDay(text)) return text;
  throw badInput('--date takes a day such as 2026-05-01.');
};

const readNotes = ({ donor, eur, date }: CommandInput['flags']) => ({
  donor: readDonor(donor),
  amount_eur: readAmount(eur),
  donated_on: readDate(date),
});

const isDay = (text: string): boolean => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
};

export const addVanityLink: Command = {
  name: 'vanity add',
  parameters: '<name> <invite>',
  summary: 'lets /name lead to the server of an invite',
  options: {
    donor: { type: 'string', help: 'a note for you: who donated' },
    eur: { type: 'string', help: 'a note for you: how much' },
    date: { type: 'string', help: 'a note for you: when, as yyyy-mm-dd' },
  },
  run: async (context, { words: [nameText = '', inviteText = ''], flags }) => {
    const name = readName(nameText);
    const code = readInvite(inviteText);
    const notes = readNotes(flags);
    const { vanityLinks } = await context.openRecords({ create: true });
    const taken = badInput(`The name ${name} is taken: choose another, or remove that link first.`);
    if ((await vanityLinks.find(name)) !== undefined) throw taken;
    const invite = await findInvite(context.platform().door, code);
    if (invite.kind === 'unclear') throw failed('The platform gave no usable answer: nothing was changed.');
    if (invite.kind === 'gone')
      throw badInput('The platform knows no such invite: it has expired, or was mistyped.');
    const now = new Date(context.system.clock.wallMs()).toISOString();
    const added = await vanityLinks.add({
      name,
      invite_code: code,
      guild_id: invite.guildId,
      paused_because: null,
      checked_at: now,
      created_day: now.slice(0, 10),
      ...notes,
    });
    if (!added) throw taken;
    return {
      data: { name, invite_code: code, guild_id: invite.guildId, guild_name: invite.guildName },
      lines: [`/${name} leads to ${visible(invite.guildName)} (server ${invite.guildId}).`],
    };
  },
};
