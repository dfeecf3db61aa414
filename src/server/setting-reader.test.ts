import { expect, it } from 'vitest';
import { configOf, problemsOf } from '#test/support/well-formed.ts';
import { parseConfig } from './config.ts';
import { OperatorError } from './operator-error.ts';

const TOKEN_PARTS = [Buffer.from('123456789012345678').toString('base64url'), 'GabcDE', 'x'.repeat(38)];
const TOKEN = TOKEN_PARTS.join('.');
const CANARY = 'canary-that-must-not-be-repeated';

it('a number may have zeros in front', () => expect(configOf({ PORT: '0080' }).listen.port).toBe(80));

it.each(['+1', '1.0', '1e1', '0x10', '1_0', '1 0', 'ten', '９', '25 # my port', 'a\u001Bb'])(
  'a number %j is refused, and not shown: it may be secret, or steer the terminal',
  (value) => expect(problemsOf({ PORT: value })).toEqual(['PORT: expected a whole number from 0 to 65535.']),
);

it.each(['OFF', 'true', 'on,off', '__proto__'])('the choice %j is refused', (value) => {
  expect(problemsOf({ TOKEN_DONATIONS: value })).toEqual(['TOKEN_DONATIONS: expected one of on, off.']);
});

it('a text is taken without the white space around it', () => {
  expect(configOf({ BRAND_NAME: ' a b ' }).brandName).toBe('a b');
});

it('a list is separated by commas or white space', () => {
  const { trustedProxies } = configOf({ TRUSTED_PROXIES: ' 10.0.0.1,10.0.0.2  ::1,\n,fd00::/8 ' });
  expect(trustedProxies.map(({ text }) => text)).toEqual(['10.0.0.1', '10.0.0.2', '::1', 'fd00::']);
});

it('a list has each wrong item named by its place', () => {
  expect(problemsOf({ TRUSTED_PROXIES: 'x,10.0.0.1,y' })).toEqual([
    expect.stringMatching(/^TRUSTED_PROXIES: item 1 /),
    expect.stringMatching(/^TRUSTED_PROXIES: item 3 /),
  ]);
});

const apiUrlOf = (url: string) =>
  configOf({ DISCORD_API_URL: url, DISCORD_CDN_URL: 'http://localhost:1' }).platform.urls?.apiUrl;

it.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://127.9.9.9:1', 'http://[::1]:1'])(
  'an address that secrets are sent to may be %s on this machine',
  (url) => expect(apiUrlOf(url)).toBe(url),
);

it.each([
  'http://example.org',
  'http://10.0.0.1',
  'http://127.0.0.1.example.org',
  'http://localhost.example.org',
  'http://[::2]',
])('an address that secrets are sent to needs https elsewhere: %s', (url) => {
  expect(problemsOf({ DISCORD_API_URL: url, DISCORD_CDN_URL: url })).toContain(
    'DISCORD_API_URL: expected https (http is only allowed on this machine).',
  );
});

it.each([
  'example.org',
  '//example.org',
  'ftp://example.org',
  'javascript:alert(1)',
  `https://${CANARY}@example.org`,
  `https://:${CANARY}@example.org`,
  `https://example.org/?token=${CANARY}`,
  `https://example.org/#${CANARY}`,
  'https://',
  'https://exa mple.org',
])('the site’s own address is refused, and not shown: %j', (PUBLIC_URL) => {
  expect(problemsOf({ PUBLIC_URL })).toEqual([
    'PUBLIC_URL: expected an address such as https://example.org, without user name, query or fragment.',
  ]);
});

it.each([
  [{}, 'http://localhost:8080'],
  [{ PORT: '9000' }, 'http://localhost:9000'],
  [{ PORT: '80' }, 'http://localhost'],
  [{ HOST: '0.0.0.0', PORT: '9000' }, 'http://localhost:9000'],
  [{ HOST: '::' }, 'http://localhost:8080'],
  [{ HOST: '::1' }, 'http://localhost:8080'],
  [{ HOST: '192.0.2.7' }, 'http://192.0.2.7:8080'],
  [{ HOST: '2001:db8::7', PORT: '9000' }, 'http://[2001:db8::7]:9000'],
  [{ HOST: 'fe80::7%eth0' }, 'http://localhost:8080'],
  [{ HOST: 'whoflake.lan' }, 'http://whoflake.lan:8080'],
  [{ HOST: '192.0.2.7', PORT: '9000', PUBLIC_URL: 'https://example.org' }, 'https://example.org'],
  [{ PUBLIC_URL: 'https://EXAMPLE.org:443/' }, 'https://example.org'],
  [{ PUBLIC_URL: 'http://example.org:8080/path/' }, 'http://example.org:8080/path'],
])('the site’s own address follows host and port unless it is set: %o', (env, address) => {
  expect(configOf(env).publicUrl).toBe(address);
});

it.each([
  [CANARY, 'BOT_TOKENS: item 1 is not a bot token.'],
  [`${TOKEN},${CANARY}`, 'BOT_TOKENS: item 2 is not a bot token.'],
  [`mfa.${CANARY}`, 'BOT_TOKENS: item 1 is a user token.'],
])('a secret that is wrong is not repeated', (tokens, problem) => {
  expect(problemsOf({ BOT_TOKENS: tokens })).toEqual([problem]);
  const inFile = problem.replace(/: item \d/, '_FILE: line 1');
  expect(problemsOf({ BOT_TOKENS_FILE: '/run/secrets/tokens' }, tokens)).toEqual([inFile]);
});

it('a secret may be in a file, with one to a line, and is checked there as well', () => {
  const paths: string[] = [];
  const parsed = parseConfig({ BOT_TOKENS_FILE: '/run/secrets/tokens' }, (path) => {
    paths.push(path);
    return `${TOKEN}\n\n`;
  });
  expect([paths, parsed.ok && parsed.config.botTokens.length]).toEqual([['/run/secrets/tokens'], 1]);
  const wrong = `${TOKEN}\n\n# ${CANARY} ${CANARY}\n${TOKEN},${CANARY}\n`;
  expect(problemsOf({ BOT_TOKENS_FILE: 'path' }, wrong)).toEqual([
    'BOT_TOKENS_FILE: line 3 is not a bot token.',
    'BOT_TOKENS_FILE: line 4 is not a bot token.',
  ]);
});

it('a secret in a file that cannot be read is a problem; the path may be the secret itself', () => {
  const parsed = parseConfig({ BOT_TOKENS_FILE: CANARY }, (path) => {
    throw new OperatorError(78, `The settings in ${path} cannot be read`, 'there is no such file.');
  });
  expect(parsed).toEqual({
    ok: false,
    problems: ['BOT_TOKENS_FILE: the file cannot be read: there is no such file.'],
  });
});

it('a secret comes from one place, not two', () => {
  expect(problemsOf({ BOT_TOKENS: TOKEN, BOT_TOKENS_FILE: 'path' }, TOKEN)).toEqual([
    'BOT_TOKENS and BOT_TOKENS_FILE: set one of them, not both.',
  ]);
});

it('a secret is not repeated beside other problems either', () => {
  const urls = { PUBLIC_URL: `https://u:${CANARY}@example.org`, DISCORD_API_URL: `https://${CANARY}@x` };
  const said = problemsOf({ ...urls, LOG_LEVEL: CANARY, BOT_TOKENS: `${CANARY} ${TOKEN}` }).join('\n');
  expect(said).toContain('PUBLIC_URL');
  expect(said).not.toContain(CANARY);
  expect(said).not.toContain(TOKEN);
});
