import { API_METHODS, PAGE_PATHS, PICTURE_PATH, TEXTS_PATH } from '#shared/paths.ts';

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
  ...[...PAGE_PATHS, PICTURE_PATH, TEXTS_PATH, ...Object.keys(API_METHODS)].map(
    (path) => path.split(/[/.]/)[1] ?? '',
  ),
  ...RESERVED_WORDS,
]);

/** Not those of Node's ICU: what may be sold must not change with it. Most other codes of three letters are words. */
const LANGUAGES = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en ' +
    'eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ' +
    'ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt ' +
    'my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm ' +
    'sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ' +
    'ast bho ceb chr ckb dsb fil fur gsw haw hsb kab kok lij mai mni nds nqo nso pcm sah sat scn syr szl tok vec yue zgh'
  ).split(' '),
);
/** A language, alone or with a script or a region, as in `pt-br`: pages in any of these may come one day. */
const LANGUAGE_TAG = /^([a-z]{2,3})(?:-(?:arab|cyrl|deva|hans|hant|latn|[a-z]{2}))?$/;

export const storedVanityName = (text: string): string | undefined =>
  // Tested as it is: some letters that are not ours become ours in lower case.
  NAME.test(text) ? text.toLowerCase() : undefined;

/** For a new link. What is reserved may grow, and takes nothing from those that exist. */
export const parseVanityName = (text: string): ParsedVanityName => {
  const name = storedVanityName(text);
  if (name === undefined) return { ok: false, problem: 'malformed' };
  if (/^\d+$/.test(name)) return { ok: false, problem: 'digits-only' };
  return RESERVED_NAMES.has(name) || LANGUAGES.has(LANGUAGE_TAG.exec(name)?.[1] ?? '')
    ? { ok: false, problem: 'reserved' }
    : { ok: true, name };
};
