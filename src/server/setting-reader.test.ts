import { expect, it } from 'vitest';
import { configOf, problemsOf } from '#test/support/well-formed.ts';
import { parseConfig } from './config.ts';
import { OperatorError } from './operator-error.ts';

const TOKEN_PARTS = [Buffer.from('123456789012345678').toString('base64url'), 'GabcDE', 'x'.repeat(38)];
const TOKEN = TOKEN_PARTS.join('.');
const CANARY = 'canary-that-must-not-be-repeated';

it.each(['+1', '1.0', '1e1', '0x10', '９', '25 # my port', 'a\u001Bb'])(
  '%j is no number, and is not shown: it may be secret, or steer the terminal',
  (value) => expect(problemsOf({ PORT: value })).toEqual(['PORT: expected a whole number from 0 to 65535.']),
);

it.each([
  ['http://localhost:1', true],
  ['http://[::1]:1', true],
  ['http://example.org', false],
  ['http://localhost.example.org', false],
])('secrets are sent without TLS on this machine alone: %s %s', (url, isHere) => {
  const problem = 'DISCORD_API_URL: expected https (http is only allowed on this machine).';
  expect(problemsOf({ DISCORD_API_URL: url, DISCORD_CDN_URL: url }).includes(problem)).toBe(!isHere);
});

const NO_URLS = 'example.org //example.org ftp://example.org javascript:alert(1) https://'.split(' ');
const TOO_MUCH = ['//u@example.org', '//example.org/?a=b', '//e.org/#a', '//exa mple.org'];
it.each([...NO_URLS, ...TOO_MUCH.map((rest) => `https:${rest}`)])(
  'a site cannot be at %j, which is not shown',
  (PUBLIC_URL) => {
    expect(problemsOf({ PUBLIC_URL })).toEqual([
      'PUBLIC_URL: expected an address such as https://example.org, without user name, query or fragment.',
    ]);
  },
);

it.each([
  [{}, 'http://localhost:8080'],
  [{ HOST: '0.0.0.0', PORT: '9000' }, 'http://localhost:9000'],
  [{ HOST: '2001:db8::7', PORT: '9000' }, 'http://[2001:db8::7]:9000'],
  [{ HOST: '192.0.2.7', PUBLIC_URL: 'https://EXAMPLE.org:443/' }, 'https://example.org'],
  [{ PUBLIC_URL: 'http://example.org:8080/path/' }, 'http://example.org:8080/path'],
])('a site with %o is at %s', (env, address) => {
  expect(configOf(env).publicUrl).toBe(address);
});

it('secrets may be in a file, with one to a line', () => {
  const parsed = parseConfig({ BOT_TOKENS_FILE: '/run/secrets/tokens' }, () => `${TOKEN}\n\n`);
  expect(parsed.ok && parsed.config.botTokens.length).toBe(1);
  const wrong = `${TOKEN}\n\n# ${CANARY} ${CANARY}\n${TOKEN},${CANARY}\n`;
  expect(problemsOf({ BOT_TOKENS_FILE: 'path' }, wrong)).toEqual([
    'BOT_TOKENS_FILE: line 3 is not a bot token.',
    'BOT_TOKENS_FILE: line 4 is not a bot token.',
  ]);
  expect(problemsOf({ BOT_TOKENS: TOKEN, BOT_TOKENS_FILE: 'path' }, TOKEN)).toEqual([
    'BOT_TOKENS and BOT_TOKENS_FILE: set one of them, not both.',
  ]);
});

it('a file of secrets that cannot be read is a problem; its path may be the secret itself', () => {
  const parsed = parseConfig({ BOT_TOKENS_FILE: CANARY }, (path) => {
    throw new OperatorError(78, `The settings in ${path} cannot be read`, 'there is no such file.');
  });
  expect(parsed).toEqual({
    ok: false,
    problems: ['BOT_TOKENS_FILE: the file cannot be read: there is no such file.'],
  });
});
