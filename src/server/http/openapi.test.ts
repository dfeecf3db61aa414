import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '#shared/contract/errors.ts';
import { ERROR_CODES } from './error-handler.ts';
import { openApiDocument } from './openapi.ts';

const SETTINGS = {
  brandName: 'Fish & <Chips>',
  platformName: 'Discord',
  publicUrl: 'https://lookup.example',
  tokenDonations: true,
};
/** What is answered at addresses that are no operation. */
const OF_NO_OPERATION = new Set(['method-not-allowed', 'not-found']);

type Operation = {
  readonly requestBody?: { readonly content: unknown };
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema?: unknown }> }>;
};
const read = (settings: Partial<typeof SETTINGS> = {}) =>
  JSON.parse(JSON.stringify(openApiDocument({ ...SETTINGS, ...settings }))) as {
    readonly info: object;
    readonly servers: unknown;
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { readonly schemas: object };
  };
const operationsOf = (settings: Partial<typeof SETTINGS> = {}): Operation[] =>
  Object.values(read(settings).paths).flatMap((methods) => Object.values(methods));
const codesOf = (response: unknown): string[] =>
  /"enum":(\[[^\]]*\])/
    .exec(JSON.stringify(response))
    ?.slice(1)
    .flatMap((list) => JSON.parse(list)) ?? [];

describe('the OpenAPI document', () => {
  it.each([true, false])('is valid by the specification, tokenDonations %s', async (tokenDonations) => {
    const validator = new Validator();
    const result = await validator.validate(read({ tokenDonations }));
    expect([result.errors, result.valid, validator.version]).toEqual([undefined, true, '3.1']);
    const broken = { ...read(), paths: { lookup: {} } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('names the site, its address and the field for the id after the settings', () => {
    const document = read({ platformName: 'Chat App' });
    expect(document.info).toMatchObject({ title: 'Fish & <Chips>' });
    expect(document.servers).toEqual([{ url: 'https://lookup.example' }]);
    const body = JSON.stringify(document.paths['/lookup']?.['post']?.requestBody);
    expect(body).toContain('"required":["chat_app_id","proof"]');
    expect(body).not.toContain('discord_id');
  });

  it('knows nothing of donations where none are taken', () => {
    const text = JSON.stringify(read({ tokenDonations: false }));
    expect(Object.keys(read().paths)).toContain('/donate-token');
    expect(text).not.toMatch(/donate|withdraw|receipt/i);
  });

  it('lists every error code at the status that it is answered with', () => {
    const documented = operationsOf().flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        codesOf(response).map((code) => [code, Number(status)] as const),
      ),
    );
    const codes = ERROR_CODES.filter((code) => !OF_NO_OPERATION.has(code)).toSorted();
    expect([...new Set(documented.map(([code]) => code))].toSorted()).toEqual(codes);
    for (const [code, status] of documented) expect(ERRORS[code as keyof typeof ERRORS].status).toBe(status);
  });
});
