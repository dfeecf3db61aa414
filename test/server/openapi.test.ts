import { Validator } from '@seriousme/openapi-schema-validator';
import type { LightMyRequestResponse } from 'fastify';
import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import { ERROR_CODES, errorCodesAbout, ERRORS } from '#shared/contract/errors.ts';
import { donate, postAsDonor, withdraw } from '#test/support/donor.ts';
import { isRecord } from '#shared/json.ts';
import { PAGE_ROUTES, registeredRoutes } from '#test/support/registered-routes.ts';
import { startTestApp, useTestApp, type TestApp } from '#test/support/test-app.ts';

type Response = { readonly content: Record<string, { readonly schema?: object }> };
type OpenApi = {
  readonly info: object;
  readonly servers: unknown;
  readonly paths: Record<
    string,
    Record<string, { readonly requestBody?: object; readonly responses: Record<string, Response> }>
  >;
  readonly components: object;
};

const ID = '441997505123577857';
const ID_WITH_COLLECTIBLES = '776367000573177858';
const ID_WITH_GUILDS = '1019612053951737865';
const UNKNOWN_ID = '794354273277177873';
const NOT_FOR_PROGRAMS = [
  '/.well-known/security.txt',
  '/assets/*',
  '/openapi.json',
  '/picture/*',
  ...PAGE_ROUTES,
];
/** What is answered at addresses that are no operation. */
const OF_NO_OPERATION = new Set<string>([
  'method-not-allowed',
  'not-found',
  ...errorCodesAbout('picture', 'pictures'),
]);
const FAULTS: readonly FaultSettings[] = [{ status: 500 }, { hang: true }, { ban: 'html' }];

const documentOf = async ({ app }: TestApp): Promise<OpenApi> =>
  (await app.server.inject('/openapi.json')).json();
const test = await useTestApp({ tokens: 4 });
const document = await documentOf(test);

const components: object = JSON.parse(JSON.stringify(document.components), (_key, value) =>
  value?.type === 'object' ? { ...value, additionalProperties: false } : value,
);

const faultOf = (method: string, path: string, { status, body, type }: Answer): string | null => {
  const response = document.paths[path]?.[method]?.responses[status];
  if (response === undefined) return `${path} is not documented to answer ${status}`;
  const content = response.content[type];
  if (content === undefined) return `${path} ${status} is not documented to be ${type}`;
  if (content.schema === undefined) return null;
  const fits = Schema.Check({ ...content.schema, components }, body);
  return fits ? null : `${path} ${status}: ${JSON.stringify(body)} is not as documented`;
};

/** Those with a schema of their own. */
const SUCCESSES = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      '$ref' in (content['application/json']?.schema ?? {}) ? `${path} ${status}` : [],
    ),
  ),
);

type Answer = { readonly status: number; readonly body: unknown; readonly type: string };
const answerOf = ({ statusCode, headers, body }: LightMyRequestResponse): Answer => {
  const [type = ''] = String(headers['content-type']).split(';');
  return { status: statusCode, type, body: type === 'application/json' ? JSON.parse(body) : body };
};

const check = (method: string, path: string, answer: Answer): void =>
  expect(faultOf(method, path, answer)).toBeNull();
const checkLookup = async (answer: Promise<LightMyRequestResponse>): Promise<void> =>
  check('post', '/lookup', answerOf(await test.settle(answer)));
const checkDonor = async (
  path: '/donate-token' | '/withdraw-token',
  answer: ReturnType<typeof donate>,
): Promise<void> => check('post', path, { ...(await answer), type: 'application/json' });

const withSurplus = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withSurplus);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withSurplus(field)]);
  return { ...Object.fromEntries(fields), surplus: { of: [1] } };
};

const codesIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"enum":(\[[^\]]*\])/g)].flatMap(
    ([, codes = '[]']) => JSON.parse(codes) as string[],
  );

describe('the OpenAPI document', () => {
  it('is valid by the specification', async () => {
    const validator = new Validator();
    const result = await validator.validate(document);
    expect([result.errors, result.valid, validator.version]).toEqual([undefined, true, '3.1']);
  });

  it('follows the settings: names, address, and no word of giving tokens', async () => {
    await using other = await startTestApp({
      env: { BRAND_NAME: 'Fish & <Chips>', PUBLIC_URL: 'https://lookup.example', TOKEN_DONATIONS: 'off' },
    });
    const theirs = await documentOf(other);
    expect(theirs.info).toMatchObject({ title: 'Fish & <Chips>' });
    expect(theirs.servers).toEqual([{ url: 'https://lookup.example' }]);
    expect(JSON.stringify(theirs)).not.toMatch(/donate/i);
    expect(Object.keys(theirs.paths)).toContain('/withdraw-token');
  });

  it('lists every error code at the status that it is answered with', () => {
    const documented = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries(responses))
      .flatMap(([status, response]) => codesIn(response).map((code) => [code, Number(status)] as const));
    const codes = ERROR_CODES.filter((code) => !OF_NO_OPERATION.has(code)).toSorted();
    expect([...new Set(documented.map(([code]) => code))].toSorted()).toEqual(codes);
    for (const [code, status] of documented) expect(ERRORS[code as keyof typeof ERRORS].status).toBe(status);
  });

  it('names all that goes out: what a handler returns beyond that, at any depth, is dropped', async () => {
    await using other = await startTestApp();
    const sent = new Set<string>();
    other.app.server.addHook('preSerialization', async ({ url }, { statusCode }, answer) => {
      sent.add(`${url} ${statusCode}`);
      return withSurplus(answer);
    });
    for (const path of ['/challenge', '/status.json'] as const)
      check('get', path, answerOf(await other.app.server.inject(path)));
    for (const id of [ID, ID_WITH_COLLECTIBLES, ID_WITH_GUILDS, UNKNOWN_ID, 'x'])
      check('post', '/lookup', answerOf(await other.settle(other.lookUp(id))));
    const token = other.sandbox.mintToken(50);
    await checkDonor('/donate-token', donate(other, token));
    await checkDonor('/withdraw-token', withdraw(other, { token }));
    expect(new Set(SUCCESSES)).toEqual(sent.difference(new Set(['/lookup 400'])));
  });

  it('describes every route but pages and files', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const all = [...described, ...NOT_FOR_PROGRAMS.map((path) => `GET ${path}`)];
    expect(all.toSorted()).toEqual(registeredRoutes(test.app).toSorted());
  });

  it('§186 is right about what may be read, and about lookups that are not in order', async () => {
    for (const path of ['/challenge', '/status.json', '/healthz'])
      check('get', path, answerOf(await test.app.server.inject(path)));
    const proof = await test.proof();
    const late = await test.proof();
    await checkLookup(test.postLookup({ discord_id: ID, proof }));
    await checkLookup(test.postLookup({ discord_id: ID, proof }));
    await checkLookup(test.postLookup({ discord_id: ID, proof: 'x' }));
    await test.system.advance(301_000);
    await checkLookup(test.postLookup({ discord_id: ID, proof: late }));
    for (const id of ['', 'x', '0', '9'.repeat(30), '9223372036854775807'])
      await checkLookup(test.postLookup({ discord_id: id, proof }));
    for (const body of [{ discord_id: ID }, '{', { discord_id: ID, proof: 'x'.repeat(5_000) }])
      await checkLookup(test.postLookup(body));
    await checkLookup(test.postLookup({}, { 'sec-fetch-site': 'cross-site' }));
    await checkLookup(test.postLookup({}, { 'content-type': 'text/plain' }));
  });

  it('is right about donations and withdrawals', async () => {
    const token = test.sandbox.mintToken(50);
    const busy = test.sandbox.mintToken(51);
    test.sandbox.setGuildCount(busy, 2);
    const dead = test.sandbox.mintToken(52);
    test.sandbox.revoke(dead);
    for (const offered of [token, token, busy, dead, '', 'x', `mfa.${'x'.repeat(80)}`])
      await checkDonor('/donate-token', donate(test, offered));
    await checkDonor('/donate-token', postAsDonor(test, '/donate-token', { token, proof: '' }));
    for (const body of [{ token }, { receipt: 'x' }, {}])
      await checkDonor('/withdraw-token', withdraw(test, body));
  });

  it('is right about what becomes of lookups', async () => {
    await checkLookup(test.lookUp(UNKNOWN_ID));
    const id = (n: number): string => `${BigInt(ID) + BigInt(n)}`;
    for (const [n, faults] of FAULTS.entries()) {
      test.sandbox.faults.set(faults);
      await checkLookup(test.lookUp(id(n + 1)));
      test.sandbox.faults.clear();
      // Past any pause.
      await test.pass(700_000, 50_000);
    }
    test.sandbox.revokeAll();
    await checkLookup(test.lookUp(id(10)));
  });
});
