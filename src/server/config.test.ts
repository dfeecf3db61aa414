import { expect, it } from 'vitest';
import { configOf, problemsOf } from '#test/support/well-formed.ts';
import { parseConfig, settingNames } from './config.ts';

const CANARY = 'canary-that-must-not-be-repeated';

/** Wrong values for each setting that can be wrong at all. */
const WRONG: Readonly<Record<string, readonly [string, ...string[]]>> = {
  PORT: ['65536'],
  ADMIN_PORT: ['-1'],
  PUBLIC_URL: ['example.org'],
  PLATFORM: ['Discord'],
  DISCORD_API_URL: ['http://example.org', 'file:///etc/passwd'],
  DISCORD_CDN_URL: ['cdn'],
  BOT_TOKENS: [CANARY],
  DATABASE_URL: [
    `mysql://${CANARY}@db/x`,
    `postgres://u:${CANARY}@a,b/x`,
    `u:${CANARY}@db/x`,
    `postgres://u:${CANARY}@db/`,
  ],
  NOTIFY_URL: [`ftp://${CANARY}`],
  EGRESS_PER_SECOND: ['0', '10001'],
  CONTACT_EMAIL: ['nobody', 'a@b', 'a b@example.org', '"><script>@example.org'],
  PAYMENT_URL: ['donate'],
  VANITY_MIN_EUR: ['0'],
  CAPTCHA_DIALOG: ['never'],
  PICTURES: ['none'],
  TOKEN_DONATIONS: ['maybe'],
  TRUSTED_PROXIES: ['0.0.0.0/0', '::/0', 'everyone'],
  POW_MAX_NUMBER: ['999', '10000001'],
  LOOKUPS_PER_MINUTE: ['0'],
  LOG_LEVEL: ['loud'],
};
const ANY_TEXT = ['BACKUP_DIR', 'HOST', 'ADMIN_HOST', 'DATA_DIR', 'KEYRING_FILE', 'BRAND_NAME'];

it('a wrong value is known to this test for every setting but those that take any text', () => {
  const files = ['BOT_TOKENS_FILE', 'DATABASE_URL_FILE', 'NOTIFY_URL_FILE'];
  const known = [...Object.keys(WRONG), ...ANY_TEXT, ...files];
  expect(known.toSorted()).toEqual(settingNames().toSorted());
});

const EACH = Object.entries(WRONG).flatMap(([name, values]) => values.map((value) => [name, value] as const));
it.each(EACH)('the setting %s is named, and its secret not repeated, if its value is %s', (name, value) => {
  const problems = problemsOf({ [name]: value });
  expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name}: .+\\.$`)));
  expect(problems.join()).not.toContain(CANARY);
});

it('one wrong setting hides no other: all are named at once, each once', () => {
  const problems = problemsOf(
    Object.fromEntries(Object.entries(WRONG).map(([name, [value]]) => [name, value])),
  );
  const named = problems.map((problem) => problem.split(':', 1)[0]);
  expect(named).toEqual(expect.arrayContaining(Object.keys(WRONG)));
  expect(new Set(problems).size).toBe(problems.length);
});

it('the database is a file in the folder unless its address is set, directly or in a file', () => {
  const url = `postgres://whoflake:${CANARY}@db:5432/whoflake?sslmode=require`;
  expect(configOf({}).databaseUrl).toBeNull();
  const config = configOf({ DATABASE_URL: url });
  expect(config.databaseUrl?.reveal()).toBe(url);
  expect(JSON.stringify(config)).not.toContain(CANARY);
  const parsed = parseConfig({ DATABASE_URL_FILE: '/run/secrets/url' }, () => `${url}\n`);
  expect(parsed.ok && parsed.config.databaseUrl?.reveal()).toBe(url);
  // Not silently another database.
  expect(problemsOf({ DATABASE_URL_FILE: '/run/secrets/url' }, '\n')).toEqual([
    expect.stringContaining('DATABASE_URL: expected an address'),
  ]);
});

const CDN = 'https://stand-in.example.org';
const SANDBOX = { DISCORD_API_URL: 'http://127.0.0.1:1/api/v10/', DISCORD_CDN_URL: 'http://127.0.0.1:1' };
it.each([
  [{}, { kind: 'sandbox', urls: null }],
  [SANDBOX, { urls: { apiUrl: 'http://127.0.0.1:1/api/v10', cdnUrl: 'http://127.0.0.1:1' } }],
  [{ PLATFORM: 'discord' }, { kind: 'discord', urls: { cdnUrl: 'https://cdn.discordapp.com' } }],
  [{ PLATFORM: 'discord', DISCORD_CDN_URL: CDN }, { urls: { cdnUrl: CDN } }],
])('with the settings %j the platform is %j', (env, platform) => {
  expect(configOf(env).platform).toMatchObject(platform);
});

it('settings that are wrong together are refused: half a sandbox, or Discord without a contact elsewhere', () => {
  expect(problemsOf({ DISCORD_API_URL: 'http://127.0.0.1:1' })).toEqual([
    'DISCORD_API_URL and DISCORD_CDN_URL: set both, or neither, with PLATFORM=sandbox.',
  ]);
  const elsewhere = { PLATFORM: 'discord', PUBLIC_URL: 'https://lookup.test' };
  expect(problemsOf(elsewhere)).toEqual([expect.stringMatching(/^CONTACT_EMAIL: .* required with/)]);
  expect(problemsOf({ ...elsewhere, CONTACT_EMAIL: 'hello@example.org' })).toEqual([]);
});

it('a setting that is empty is taken for one that is not set', () => {
  const empty = Object.fromEntries(settingNames().map((name) => [name, ' ']));
  expect(configOf(empty)).toEqual(configOf({}));
});

it('nothing starts with certificates unchecked', () => {
  const problems = problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  expect(problems).toEqual([expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED: unset it/)]);
});

it('no variable is read but the settings, and one of Node’s', () => {
  const asked = new Set<string>();
  const env = new Proxy({}, { get: (_target, name) => void asked.add(String(name)) });
  parseConfig(env, () => '');
  const names = [...settingNames(), 'NODE_TLS_REJECT_UNAUTHORIZED'];
  expect([...asked].toSorted()).toEqual(names.toSorted());
});
