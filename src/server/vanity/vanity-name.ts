import { API_METHODS, PAGE_PATHS, PICTURE_PATH, TEXTS_PATH } from '#shared/paths.ts';

export type ParsedVanityName =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly problem: 'malformed' | 'digits-only' | 'reserved' };

/** Two to 32 letters, digits and hyphens, none of these at an end. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])$/;

/** Names that no route has, but that people would take for ours, or that we may need one day. */
const RESERVED_WORDS = (
  'about account admin api app assets auth blog cdn docs faq help home imprint invite legal login logout mail metrics oauth official ' +
  'ops readyz livez register root security settings signup static support system terms user users vanity well-known www'
).split(' ');

/** The first part of every path that is taken. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...[...PAGE_PATHS, PICTURE_PATH, TEXTS_PATH, ...Object.keys(API_METHODS)].map(
    (path) => path.split(/[/.]/)[1] ?? '',
  ),
  ...RESERVED_WORDS,
]);

const namesOf = (type: 'language' | 'region' | 'script') =>
  new Intl.DisplayNames('en', { type, fallback: 'none' });
const languages = namesOf('language');
const regions = namesOf('region');
const scripts = namesOf('script');

/** A language, alone or with a script or a region, as in `pt-br`: pages in any of these may come one day. */
const LANGUAGE_TAG = /^(?<language>[a-z]{2,3})(?:-(?:(?<region>[a-z]{2})|(?<script>[a-z]{4})))?$/;

/** Of the codes with three letters only those that dates can be written in: most others are words. */
const isLanguage = (code: string): boolean =>
  code.length === 2
    ? languages.of(code) !== undefined
    : Intl.DateTimeFormat.supportedLocalesOf(code)[0] === code;

const couldBeLanguage = (name: string): boolean => {
  const { language, region, script } = LANGUAGE_TAG.exec(name)?.groups ?? {};
  return (
    language !== undefined &&
    isLanguage(language) &&
    (region === undefined || regions.of(region.toUpperCase()) !== undefined) &&
    (script === undefined || scripts.of(script.replace(/^./, (first) => first.toUpperCase())) !== undefined)
  );
};

/** Case does not matter to a person typing an address. */
export const parseVanityName = (text: string): ParsedVanityName => {
  // Tested as it is: some letters that are not ours become ours in lower case.
  if (!NAME.test(text)) return { ok: false, problem: 'malformed' };
  const name = text.toLowerCase();
  if (/^\d+$/.test(name)) return { ok: false, problem: 'digits-only' };
  return RESERVED_NAMES.has(name) || couldBeLanguage(name)
    ? { ok: false, problem: 'reserved' }
    : { ok: true, name };
};
