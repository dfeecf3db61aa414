// Usage: npm run drift -- <file or URL>. Ends with 1 if there is something new, 2 if the document cannot be used.
import { readFile } from 'node:fs/promises';
import { SAMPLE_USERS } from '../src/sandbox/profiles/sample-profiles.ts';
import { KNOWN_FLAGS } from '../src/shared/flags.ts';
import { NAMEPLATE_PALETTES } from '../src/shared/colors.ts';
import { NAME_EFFECTS, NAME_FONTS } from '../src/shared/name-styles.ts';

const MAX_MS = 30_000;
/** A schema may refer to itself. */
const MAX_DEPTH = 12;

const numbersOf = (names) => new Set(names.keys().map((place) => place + 1));

const KNOWN_VALUES = {
  'collectibles.nameplate.palette': new Set(Object.keys(NAMEPLATE_PALETTES)),
  'display_name_styles.font_id': numbersOf(NAME_FONTS),
  'display_name_styles.effect_id': numbersOf(NAME_EFFECTS),
  public_flags: new Set(KNOWN_FLAGS.map(({ value }) => value)),
  flags: new Set(KNOWN_FLAGS.map(({ value }) => value)),
};

const download = async (url) => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(MAX_MS) });
  if (!answer.ok) throw new Error(`the answer is ${answer.status}`);
  return await answer.text();
};

const readDocument = async (from) => {
  const text = await (/^https?:\/\//.test(from) ? download(from) : readFile(from, 'utf8'));
  const schemas = JSON.parse(text)?.components?.schemas;
  if (schemas?.UserResponse === undefined) throw new Error('it has no schema UserResponse');
  return schemas;
};

const join = (path, name) => (path === '' ? name : `${path}.${name}`);

const partsOf = (schemas, { $ref = '', oneOf = [], anyOf = [], allOf = [], items }) =>
  [schemas[$ref.split('/').at(-1)], ...oneOf, ...anyOf, ...allOf, items].filter((part) => part !== undefined);

const pathsIn = (schemas, schema, path = '', depth = 0) => {
  if (depth > MAX_DEPTH) return [];
  const { oneOf = [], enum: listed = [], properties = {} } = schema;
  const values = [...listed, ...oneOf.flatMap((choice) => choice.const ?? [])];
  return [
    [path, values],
    ...partsOf(schemas, schema).flatMap((part) => pathsIn(schemas, part, path, depth + 1)),
    ...Object.entries(properties).flatMap(([name, part]) =>
      pathsIn(schemas, part, join(path, name), depth + 1),
    ),
  ];
};

/** Of a user as the sandbox sends it: it has a sample of everything that we know. */
const pathsOf = (value, path = '') =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? []
    : Object.entries(value).flatMap(([name, part]) => {
        const at = join(path, name);
        return [at].concat(pathsOf(part, at));
      });

const findNews = (schemas) => {
  const known = new Set(['', ...[...SAMPLE_USERS.values()].flatMap((user) => pathsOf(user))]);
  const found = pathsIn(schemas, schemas.UserResponse);
  const parentOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf('.')));
  // No need to list what is below a new field.
  const isNew = (path) => !known.has(path) && known.has(parentOf(path));
  const fields = new Set(found.map(([path]) => path).filter(isNew));
  const values = found.flatMap(([path, listed]) =>
    listed.filter((value) => KNOWN_VALUES[path]?.has(value) === false).map((value) => `${path}: ${value}`),
  );
  return [
    ...[...fields].map((path) => `field ${path}`),
    ...new Set(values.map((value) => `value of ${value}`)),
  ];
};

const [from, ...rest] = process.argv.slice(2);
if (from === undefined || rest.length > 0) {
  process.stderr.write('Usage: npm run drift -- <file or URL of the OpenAPI document>\n');
  process.exit(2);
}
const giveUp = (reason) => {
  process.stderr.write(`${from} cannot be used: ${reason}.\n`);
  process.exit(2);
};
const schemas = await readDocument(from).catch((error) => giveUp((error.cause ?? error).message));
let news = [];
try {
  news = findNews(schemas);
} catch {
  giveUp('its schemas are not what OpenAPI calls schemas');
}
process.stdout.write(news.length === 0 ? 'Nothing new.\n' : news.map((line) => `New: ${line}\n`).join(''));
process.exitCode = news.length === 0 ? 0 : 1;
