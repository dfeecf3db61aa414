import { describe, expect, it } from 'vitest';
import { configOf, problemsOf } from '#test/support/well-formed.ts';
import { parseConfig, settingNames } from './config.ts';

const CANARY = 'canary-that-must-not-be-repeated';

/** One wrong value for each setting that can be wrong at all. */
const WRONG: Readonly<Record<string, string>> = {
  PORT: '65536',
  ADMIN_PORT: '-1',
  PUBLIC_URL: 'example.org',
  PLATFORM: 'Discord',
  SANDBOX_PORT: '65536',
  DISCORD_API_URL: 'http://example.org',
  DISCORD_CDN_URL: 'cdn',
  BOT_TOKENS: CANARY,
  DATABASE_URL: `mysql://${CANARY}@db/x`,
  NOTIFY_URL: `ftp://${CANARY}`,
  EGRESS_PER_SECOND: '0',
  CONTACT_EMAIL: 'nobody',
  PAYMENT_URL: 'donate',
  VANITY_MIN_EUR: '0',
  CAPTCHA_DIALOG: 'never',
  PICTURES: 'none',
  TOKEN_DONATIONS: 'maybe',
  TRUSTED_PROXIES: '0.0.0.0/0',
  POW_MAX_NUMBER: '999',
  LOOKUPS_PER_MINUTE: '0',
  LOOKUPS_PER_DAY: '0',
  LOG_LEVEL: 'loud',
  LOG_FORMAT: 'xml',
  STOP_DELAY_SECONDS: '61',
};
const ANY_TEXT = ['BACKUP_DIR', 'HOST', 'ADMIN_HOST', 'DATA_DIR', 'KEYRING_FILE', 'BRAND_NAME'];

describe('a wrong value', () => {
  it('is known here for every setting but those that take any text', () => {
    const files = ['BOT_TOKENS_FILE', 'DATABASE_URL_FILE', 'NOTIFY_URL_FILE'];
    const known = [...Object.keys(WRONG), ...ANY_TEXT, ...files];
    expect(known.toSorted()).toEqual(settingNames().toSorted());
  });

  it.each(Object.entries(WRONG))('of %s (%s) is named', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name}: .+\\.$`)));
  });

  it('hides no other: all are named at once, each once', () => {
    const problems = problemsOf(WRONG);
    const named = problems.map((problem) => problem.split(':', 1)[0]);
    expect(named).toEqual(expect.arrayContaining(Object.keys(WRONG)));
    expect(new Set(problems).size).toBe(problems.length);
  });

  it.each([
    ['LOOKUPS_PER_DAY', '10000001'],
    ['POW_MAX_NUMBER', '10000001'],
    ['DISCORD_API_URL', 'file:///etc/passwd'],
    ['EGRESS_PER_SECOND', '10001'],
    ['TRUSTED_PROXIES', 'everyone'],
    ['TRUSTED_PROXIES', '::/0'],
    ['CONTACT_EMAIL', 'a@b'],
    ['CONTACT_EMAIL', 'a b@example.org'],
    ['CONTACT_EMAIL', '"><script>@example.org'],
  ])('of %s may also be %s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
  });
});

describe('the database', () => {
  const GOOD = `postgres://whoflake:${CANARY}@db:5432/whoflake?sslmode=require`;

  it('is a file in the folder unless its address is set, directly or in a file', () => {
    expect(configOf({}).databaseUrl).toBeNull();
    expect(configOf({ DATABASE_URL: GOOD }).databaseUrl?.reveal()).toBe(GOOD);
    const parsed = parseConfig({ DATABASE_URL_FILE: '/run/secrets/url' }, () => `${GOOD}\n`);
    expect(parsed.ok && parsed.config.databaseUrl?.reveal()).toBe(GOOD);
    expect(
      configOf({ DATABASE_URL: 'postgresql:///whoflake?host=/run/postgresql' }).databaseUrl,
    ).not.toBeNull();
  });

  it.each([
    `mysql://u:${CANARY}@db/x`,
    `u:${CANARY}@db/x`,
    `postgres://u:${CANARY}@db`,
    `postgres://u:${CANARY}@db/`,
  ])('whose address is wrong is not looked for elsewhere, and nothing of it is repeated', (url) => {
    const EXPECTED = 'expected an address such as postgres://user:password@host/database';
    const problems = problemsOf({ DATABASE_URL: url });
    expect(problems).toEqual([expect.stringContaining(`DATABASE_URL: ${EXPECTED}`)]);
    expect(problems.join()).not.toContain(CANARY);
    expect(problemsOf({ DATABASE_URL_FILE: '/run/secrets/url' }, url)).toHaveLength(1);
  });

  it('is not silently another one if the file with its address is empty', () => {
    expect(problemsOf({ DATABASE_URL_FILE: '/run/secrets/url' }, '\n')).toEqual([
      expect.stringContaining('DATABASE_URL: expected an address'),
    ]);
  });

  it('has an address that is not shown by printing the configuration', () => {
    expect(JSON.stringify(configOf({ DATABASE_URL: GOOD }))).not.toContain(CANARY);
  });
});

describe('the platform', () => {
  const CONTACT = { CONTACT_EMAIL: 'hello@example.org', PAYMENT_URL: 'https://example.org/donate' };

  it('is a sandbox of our own by default', () => {
    expect(configOf({}).platform).toEqual({ kind: 'sandbox', urls: null, port: 8081 });
  });

  it('may be a sandbox on another port, or one that runs elsewhere', () => {
    expect(configOf({ SANDBOX_PORT: '0' }).platform).toEqual({ kind: 'sandbox', urls: null, port: 0 });
    const [apiUrl, cdnUrl] = ['http://127.0.0.1:1/api/v10', 'http://127.0.0.1:1'];
    const { platform } = configOf({ DISCORD_API_URL: `${apiUrl}/`, DISCORD_CDN_URL: cdnUrl });
    expect(platform).toMatchObject({ urls: { apiUrl, cdnUrl } });
  });

  it('as a sandbox that runs elsewhere needs both addresses', () => {
    expect(problemsOf({ DISCORD_API_URL: 'http://127.0.0.1:1' })).toEqual([
      'DISCORD_API_URL and DISCORD_CDN_URL: set both, or neither, with PLATFORM=sandbox.',
    ]);
  });

  it('may be Discord, at its own addresses unless told otherwise', () => {
    expect(configOf({ PLATFORM: 'discord', ...CONTACT }).platform).toEqual({
      kind: 'discord',
      urls: { apiUrl: 'https://discord.com/api/v10', cdnUrl: 'https://cdn.discordapp.com' },
    });
    const elsewhere = { PLATFORM: 'discord', ...CONTACT, DISCORD_CDN_URL: 'https://stand-in.example.org' };
    expect(configOf(elsewhere).platform.urls?.cdnUrl).toBe('https://stand-in.example.org');
  });

  it('as Discord needs nothing else on this machine, and whom visitors can reach elsewhere', () => {
    expect(configOf({ PLATFORM: 'discord' })).toMatchObject({ contactEmail: '', paymentUrl: null });
    const elsewhere = { PLATFORM: 'discord', PUBLIC_URL: 'https://lookup.test' };
    expect(problemsOf(elsewhere)).toEqual([expect.stringMatching(/^CONTACT_EMAIL: .* required with/)]);
    expect(problemsOf({ ...elsewhere, CONTACT_EMAIL: 'hello@example.org' })).toEqual([]);
  });
});

it('takes an empty variable for one that is not set', () => {
  const empty = Object.fromEntries(settingNames().map((name) => [name, ' ']));
  expect(configOf(empty)).toEqual(configOf({}));
});

it('does not go on with certificates unchecked', () => {
  const problems = problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  expect(problems).toEqual([expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED: unset it/)]);
  expect(problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
});

it('reads nothing but what it names, and one of Node’s', () => {
  const asked = new Set<string>();
  const env = new Proxy({}, { get: (_target, name) => void asked.add(String(name)) });
  parseConfig(env, () => '');
  const names = [...settingNames(), 'NODE_TLS_REJECT_UNAUTHORIZED'];
  expect([...asked].toSorted()).toEqual(names.toSorted());
});
