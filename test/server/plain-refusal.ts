import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';

/** Status and code of a refusal, which must be a single sentence without internals. */
export const answerOf = (response: LightMyRequestResponse): [number, unknown] => {
  const body = response.json<Record<string, unknown>>();
  expect(Object.keys(body)).toEqual(['error', 'code']);
  expect(body['error']).toMatch(/^[A-Z][^\n]*\.$/);
  expect(response.body).not.toMatch(/ at |node_modules|\.ts\b|FST_|SyntaxError/);
  return [response.statusCode, body['code']];
};
