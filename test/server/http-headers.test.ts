import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { headerOf, openPort, rawExchange } from '#test/attacks/raw-exchange.ts';
import { startTestApp, stubWebBuild, useTestApp } from '#test/support/test-app.ts';

const KNOWN = '441997505123577857';
const UNKNOWN = '794354273277177873';

const test = await useTestApp();
const port = await openPort(test.app);

const get = (path: string, ...lines: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');
const send = (method: string, path: string, ...lines: string[]): string =>
  get(path, ...lines).replace('GET', method);
const post = (body: string, ...lines: string[]): string =>
  `${send('POST', '/lookup', `Content-Length: ${Buffer.byteLength(body)}`, ...lines)}${body}`;
const JSON_TYPE = 'Content-Type: application/json';
const lookup = async (id: string): Promise<string> =>
  post(JSON.stringify({ discord_id: id, proof: await test.proof() }), JSON_TYPE);

type Answer = [
  name: string,
  status: number,
  request: string | (() => Promise<string>),
  cacheControl?: string,
];
const FOREVER = 'immutable';
const ASK_AGAIN = 'no-cache';

const answers: Answer[] = [
  ['a page', 200, get('/'), ASK_AGAIN],
  ['a page, unchanged', 304, get('/', 'If-None-Match: *'), ASK_AGAIN],
  ['a file', 200, get('/assets/app-1a2b3c4d.js'), FOREVER],
  ['an unknown file', 404, get('/assets/app-00000000.js'), ASK_AGAIN],
  ['a challenge', 200, get('/challenge')],
  ['a sign of health', 200, get('/healthz')],
  ['a profile', 200, () => lookup(KNOWN)],
  ['a profile that nobody has', 404, () => lookup(UNKNOWN)],
  ['an unknown page', 404, get('/nothing-here'), ASK_AGAIN],
  ['an unknown path, POST', 404, send('POST', '/nothing-here', 'Content-Length: 0')],
  ['a bad body', 400, post('{', JSON_TYPE)],
  ['a large header', 431, get('/', `X-Large: ${'x'.repeat(9_000)}`)],
  ['no Host', 400, 'GET / HTTP/1.1\r\n\r\n'],
  ['an address that does not decode', 400, get('/%zz')],
  ['an upgrade', 200, get('/', 'Connection: upgrade', 'Upgrade: websocket'), ASK_AGAIN],
  ['bytes that are not HTTP', 400, '\u0016\u0003\u0001\u0002\u0000\r\n\r\n'],
  ['a length and chunks', 400, post('{}', JSON_TYPE, 'Transfer-Encoding: chunked')],
];

const EXPECTED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};
/** Cross-origin sharing, a fingerprint of the software, state, or a switch of the captcha widget. */
const FORBIDDEN = /^(?:access-control-|server$|x-powered-by$|via$|set-cookie$|x-altcha-config$|date-)/;

describe.each<Answer>(answers)('%s', (_name, status, request, cacheControl = 'no-store') => {
  it(`§1, 204 answers ${status} with every security header, each once`, async () => {
    const answer = await rawExchange(port, typeof request === 'string' ? request : await request());
    if (answer === null) throw new Error('no answer');
    expect(answer.status).toBe(status);
    const names = answer.headers.map(([name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => FORBIDDEN.test(name))).toEqual([]);
    expect(Object.fromEntries(answer.headers)).toMatchObject(EXPECTED);
    expect(headerOf(answer, 'content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/=]{44}'; style-src 'self' 'sha256-[\w+/=]{44}'; /,
    );
    expect(headerOf(answer, 'permissions-policy')).toMatch(/camera=\(\)/);
    expect(headerOf(answer, 'cache-control')).toBe(cacheControl);
    if (status >= 400 && cacheControl !== ASK_AGAIN)
      expect(headerOf(answer, 'content-type')).toBe('application/json; charset=utf-8');
  });
});

// No path of the CDN's address can bring in a directive of its own.
it.each([
  ['direct', ' http://127.0.0.1:1'],
  ['relayed', ''],
])('§184 the policy of a page names our origin and, if pictures are %s, the CDN', async (pictures, cdn) => {
  const cdnUrl = "http://127.0.0.1:1/; script-src 'unsafe-inline'";
  await using other = await startTestApp({ cdnUrl, env: { PICTURES: pictures } });
  const { headers } = await other.app.server.inject('/');
  const policy = `${headers['content-security-policy']}`;
  const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
  const { script, style } = stubWebBuild.inlineCode;
  expect(policy).toBe(
    `default-src 'none'; script-src 'self' ${hashOf(script)}; style-src 'self' ${hashOf(style)}; ` +
      "connect-src 'self'; worker-src 'self'; " +
      `font-src 'self'; manifest-src 'self'; img-src 'self'${cdn}; base-uri 'none'; ` +
      "form-action 'self'; frame-ancestors 'none'",
  );
});

it('only the worker that searches for proofs may compile WebAssembly, and it may do nothing else', async () => {
  const policyOf = async (url: string, headers = {}) =>
    (await test.app.server.inject({ url, headers })).headers['content-security-policy'];
  const worker = '/assets/sha256-worker-1a2b3c4d.js';
  const policy = "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'";
  expect(await policyOf(worker)).toBe(policy);
  expect(await policyOf(worker, { 'if-none-match': '*' })).toBe(policy);
  for (const path of ['/', '/nothing-here', '/assets/app-1a2b3c4d.js', `${worker}x`, '/challenge'])
    expect([path, await policyOf(path)]).toEqual([path, expect.not.stringContaining('wasm')]);
});

it.each([
  ['https://example.org', 'max-age=31536000'],
  ['http://localhost:8080', undefined],
])('strict transport security for %s is %s, on errors too', async (publicUrl, expected) => {
  await using secure = await startTestApp({ env: { PUBLIC_URL: publicUrl } });
  const securePort = await openPort(secure.app);
  for (const request of [get('/'), get('/challenge'), get('/%zz'), 'nonsense\r\n\r\n']) {
    const answer = await rawExchange(securePort, request);
    expect(answer?.headers.find(([name]) => name === 'strict-transport-security')?.[1]).toBe(expected);
  }
});

it('§180 a page does not change with headers that are not part of a cache key', async () => {
  const plain = await test.app.server.inject('/');
  const unkeyed = ['x-forwarded-host', 'x-original-url', 'x-rewrite-url', 'x-forwarded-proto', 'origin'];
  for (const name of [...unkeyed, 'x-host', 'forwarded', 'accept-language', 'cookie', 'user-agent']) {
    const other = await test.app.server.inject({ url: '/', headers: { [name]: 'evil.example' } });
    expect([name, other.statusCode, other.body]).toEqual([name, 200, plain.body]);
    expect(JSON.stringify(other.headers)).not.toContain('evil.example');
  }
  const host = await test.app.server.inject({ url: '/', headers: { host: 'evil.example' } });
  expect(host.body).toBe(plain.body);
});
