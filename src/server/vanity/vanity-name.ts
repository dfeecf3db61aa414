import { API_METHODS, PAGE_PATHS, PICTURE_PATH, TEXTS_PATH } from '#shared/paths.ts';

export type ParsedVanityName =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly problem: 'malformed' | 'digits-only' | 'reserved' };

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])$/;

/** Names that no route has, but that people would take for ours, or that we may need one day. */
const RESERVED_WORDS = (
  'about account admin api app assets auth blog cdn docs faq help home imprint invite legal login logout mail metrics oauth official ' +
  'ops readyz livez register root security settings signup static support system terms user users vanity well-known www'
).split(' ');

export const RESERVED_NAMES: ReadonlySet<string> = new Set([
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
const REGIONS = new Set(
  (
    'ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca ' +
    'cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et eu fi fj fk fm fo fr ' +
    'ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo ' +
    'jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ' +
    'ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro ' +
    'rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv ' +
    'tw tz ua ug uk um us uy uz va vc ve vg vi vn vu wf ws xk ye yt za zm zw'
  ).split(' '),
);
const SCRIPTS = new Set(
  (
    'adlm arab armn beng cans cher cyrl deva ethi geor grek gujr guru hans hant hebr jpan khmr knda kore laoo latn mlym ' +
    'mong mtei mymr nkoo olck orya rohg sinh sund syrc taml telu tfng thaa thai tibt vaii yiii'
  ).split(' '),
);

/** A language, alone or with a script or a region, as in `pt-br`: pages in any of these may come one day. */
const couldBeLanguage = (name: string): boolean => {
  const [language = '', part, ...more] = name.split('-');
  return (
    LANGUAGES.has(language) &&
    more.length === 0 &&
    (part === undefined || REGIONS.has(part) || SCRIPTS.has(part))
  );
};

export const storedVanityName = (text: string): string | undefined =>
  // Tested as it is: some letters that are not ours become ours in lower case.
  NAME.test(text) ? text.toLowerCase() : undefined;

/** For a new link. What is reserved may grow, and takes nothing from those that exist. */
export const parseVanityName = (text: string): ParsedVanityName => {
  const name = storedVanityName(text);
  if (name === undefined) return { ok: false, problem: 'malformed' };
  if (/^\d+$/.test(name)) return { ok: false, problem: 'digits-only' };
  return RESERVED_NAMES.has(name) || couldBeLanguage(name)
    ? { ok: false, problem: 'reserved' }
    : { ok: true, name };
};
