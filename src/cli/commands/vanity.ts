import type { OperatorError } from '#server/operator-error.ts';
import { findInvite, parseInviteCode, parseVanityName } from '#server/vanity/vanity-links.ts';
import type { RunCommand, CommandContext, CommandInput } from '../command.ts';
import { badInput, failed } from '../failure.ts';
import { plural, table, visible } from '../output.ts';

const NOTES = {
  donor: [/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, 'one line of at most 200 characters'],
  eur: [/^\d{1,6}(?:\.\d{1,2})?$/, 'an amount such as 18 or 18.50'],
  date: [/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, 'a day such as 2026-05-01'],
} as const;

const readNotes = (flags: CommandInput['flags']) => {
  const text = (name: keyof typeof NOTES): string | null => {
    const [form, what] = NOTES[name];
    const given = flags[name];
    if (typeof given !== 'string') return null;
    if (form.test(given)) return given;
    throw badInput(`--${name} takes ${what}.`);
  };
  const eur = text('eur');
  return { donor: text('donor'), amount_eur: eur === null ? null : Number(eur), donated_on: text('date') };
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

const readInvite = (text: string): string => {
  const code = parseInviteCode(text);
  if (code !== null) return code;
  throw badInput('Not a Discord invite', 'use its code, or a link such as https://discord.gg/code.');
};

const taken = (name: string) => badInput(`The name ${name} is taken`, 'choose another, or add --replace.');

const findLink = async (context: CommandContext, text: string) => {
  const { vanityLinks } = await context.openRecords();
  const link = await vanityLinks.find(text.toLowerCase());
  if (link === undefined) throw badInput('There is no link with this name', 'see vanity list.');
  return { vanityLinks, link };
};

const findServer = async ({ platform }: CommandContext, code: string, gone: OperatorError) => {
  const invite = await findInvite((await platform()).api, code);
  if (invite.kind === 'unclear') throw failed('The platform is not answering properly: nothing was changed.');
  if (invite.kind === 'gone') throw gone;
  if (invite.kind === 'found') return invite;
  throw badInput('The invite leads to a group or a friend', 'use one that leads to a server.');
};

/** Run again, or with --replace, it changes what is there; notes that are not given stay. */
export const add: RunCommand = async (context, { words: [nameText = '', inviteText = ''], flags }) => {
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

export const list: RunCommand = async (context) => {
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

export const pause: RunCommand = async (context, { words: [name = ''] }) => {
  const { vanityLinks, link } = await findLink(context, name);
  await vanityLinks.update(link.name, { paused_because: 'operator' });
  return { lines: [`/${link.name} is paused.`] };
};

export const resume: RunCommand = async (context, { words: [name = ''] }) => {
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

export const remove: RunCommand = async (context, input) => {
  const { vanityLinks } = await context.openRecords();
  const name = (input.words[0] ?? '').toLowerCase();
  if ((await vanityLinks.find(name)) === undefined)
    return { lines: [`There is no link /${visible(name)}: nothing was deleted.`] };
  await context.confirm();
  await vanityLinks.remove(name);
  return { lines: [`/${name} was deleted.`] };
};
