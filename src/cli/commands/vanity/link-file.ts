import type { VanityLinkRow } from '#server/storage/schema.ts';
import { parseInviteCode } from '#server/vanity/invite.ts';
import { parseVanityName } from '#server/vanity/vanity-name.ts';
import { badInput } from '../../command.ts';
import { visible } from '../../output.ts';

const FORMAT = 'whoflake-vanity-links';
const VERSION = 1;

/** What is written to a file. With `--json` it is printed among other fields, which an import ignores. */
export const toDocument = (links: readonly VanityLinkRow[], exportedAt: string) => ({
  format: FORMAT,
  version: VERSION,
  exported_at: exportedAt,
  links,
});

export const isSame = (link: VanityLinkRow, other: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(link).every(([field, value]) => value === other[field]);

export const MAX_DONOR = 200;
export const isDonor = (text: string): boolean => text.length <= MAX_DONOR && visible(text) === text;
export const isAmount = (text: string): boolean => /^\d{1,6}(?:\.\d{1,2})?$/.test(text);
export const isDay = (text: string): boolean => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
};

const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);
const isText =
  (isRight: (text: string) => boolean) =>
  (value: unknown): boolean =>
    typeof value === 'string' && isRight(value);
const orNull =
  (isRight: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || isRight(value);

/** What each field of a link must be. */
const FIELDS: Readonly<Record<keyof VanityLinkRow, (value: unknown) => boolean>> = {
  name: isText((name) => {
    const parsed = parseVanityName(name);
    return parsed.ok && parsed.name === name;
  }),
  invite_code: isText((code) => parseInviteCode(code) === code),
  guild_id: isText((id) => /^[1-9]\d{14,19}$/.test(id)),
  paused_because: isOneOf(null, 'operator', 'invite-changed', 'invite-gone'),
  checked_at: isText((time) => /^\d{4}-\d{2}-\d{2}T/.test(time) && isDay(time.slice(0, 10))),
  created_day: isText(isDay),
  donor: orNull(isText(isDonor)),
  amount_eur: orNull((amount) => typeof amount === 'number' && isAmount(String(amount))),
  donated_on: orNull(isText(isDay)),
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line] = /line (\d+)/.exec((error as Error).message) ?? [];
    throw badInput(
      `The file is not valid JSON${line === undefined ? '' : ` (line ${line})`}. No links were added.`,
    );
  }
};

/** Throws if any entry is wrong. */
export const readLinks = (text: string): VanityLinkRow[] => {
  const document = parseJson(text) as { format?: unknown; version?: unknown; links?: unknown } | null;
  if (document?.format !== FORMAT || !Array.isArray(document.links))
    throw badInput('This is not a file of vanity links', 'make one with vanity export.');
  if (document.version !== VERSION)
    throw badInput('The file is from a newer version of this program', 'import it with that version.');
  const names = new Set<unknown>();
  return document.links.map((entry: Readonly<Record<string, unknown>> | null, index) => {
    const refuse = (problem: string) => badInput(`Entry ${index + 1}: ${problem}. No links were added.`);
    for (const [field, isRight] of Object.entries(FIELDS))
      if (!isRight(entry?.[field])) throw refuse(`${field} is missing or wrong`);
    if (names.has(entry?.['name'])) throw refuse('the name is in the file twice');
    names.add(entry?.['name']);
    return Object.fromEntries(Object.keys(FIELDS).map((field) => [field, entry?.[field]])) as VanityLinkRow;
  });
};
