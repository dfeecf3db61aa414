import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { jsonFromSameOrigin } from './api-route.ts';

const outcomeOf = (headers: Record<string, string | string[]>): string => {
  let outcome = 'nothing';
  jsonFromSameOrigin({ headers } as unknown as FastifyRequest, null, (error) => {
    outcome = error?.message ?? 'passed';
  });
  return outcome;
};

it.each([
  [{ 'content-type': 'application/json' }, 'passed'],
  [{ 'content-type': 'APPLICATION/JSON; CHARSET=UTF-8' }, 'passed'],
  [{ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }, 'passed'],
  [{ 'content-type': 'application/json', 'sec-fetch-site': 'none' }, 'passed'],
  [{ 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' }, 'cross-site'],
  [{ 'content-type': 'application/json', 'sec-fetch-site': 'same-site' }, 'cross-site'],
  [{ 'content-type': 'application/json', 'sec-fetch-site': ['same-origin'] }, 'cross-site'],
  [{ 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' }, 'cross-site'],
  [{ 'content-type': ' application/json' }, 'unsupported-media-type'],
  [{ 'content-type': 'application/json\t;x' }, 'unsupported-media-type'],
  [{ 'content-type': 'application/json; charset=latin1' }, 'unsupported-media-type'],
  [{ 'content-type': '' }, 'unsupported-media-type'],
  [{}, 'unsupported-media-type'],
] as [Record<string, string | string[]>, string][])('%j: %s', (headers, outcome) => {
  expect(outcomeOf(headers)).toBe(outcome);
});
