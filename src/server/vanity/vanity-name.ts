import { API_METHODS, PAGE_PATHS, PICTURE_PATH } from '#shared/paths.ts';

type ParsedVanityName =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly problem: 'malformed' | 'digits-only' | 'reserved' };

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])$/;

/** Names that no route has, but that people would take for ours, or that we may need one day. */
const RESERVED_WORDS = (
  'about account admin api app assets auth blog cdn docs faq help home imprint invite legal login logout mail metrics oauth official ' +
  'ops readyz livez register root security settings signup static support system terms user users vanity well-known www'
).split(' ');

const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...[...PAGE_PATHS, PICTURE_PATH, ...Object.keys(API_METHODS)].map((path) => path.split(/[/.]/)[1] ?? ''),
  ...RESERVED_WORDS,
]);

/** A language, alone or with a script or a region, as in `pt-br`: pages in any may come one day. */
const LANGUAGE = /^[a-z]{2}(?:-(?:arab|cyrl|deva|hans|hant|latn|[a-z]{2}))?$/;

export const storedVanityName = (text: string): string | undefined =>
  // Tested as it is: some letters that are not ours become ours in lower case.
  NAME.test(text) ? text.toLowerCase() : undefined;

/** For a new link. What is reserved may grow, and takes nothing from those that exist. */
export const parseVanityName = (text: string): ParsedVanityName => {
  const name = storedVanityName(text);
  if (name === undefined) return { ok: false, problem: 'malformed' };
  if (/^\d+$/.test(name)) return { ok: false, problem: 'digits-only' };
  return RESERVED_NAMES.has(name) || LANGUAGE.test(name)
    ? { ok: false, problem: 'reserved' }
    : { ok: true, name };
};
