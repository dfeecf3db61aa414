import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './test-app.ts';

const FIRST_ID = 200_000_000_000_000_000n;

/** Ids of users that the sandbox makes up; the first `skip` are left out. */
export const distinctIds = (count: number, skip = 0): string[] =>
  Array.from({ length: count }, (_, n) => String(FIRST_ID + BigInt(skip + n)));

/** A short form of an answer: `200`, or status and code such as `503 pool-busy`. */
export const verdictOf = (response: LightMyRequestResponse): string => {
  const { code } = response.json<{ code?: string }>();
  return code === undefined ? String(response.statusCode) : `${response.statusCode} ${code}`;
};

export const countVerdicts = (responses: readonly LightMyRequestResponse[]): Record<string, number> => {
  const byVerdict = [...Map.groupBy(responses, verdictOf)];
  return Object.fromEntries(byVerdict.map(([verdict, { length }]) => [verdict, length]));
};

/** All at once, while time goes on until every one is answered. */
export const lookUpAll = (test: TestApp, ids: readonly string[]): Promise<LightMyRequestResponse[]> =>
  test.settle(Promise.all(ids.map((id) => test.lookUp(id))));

export const lookUpInTurn = async (
  test: TestApp,
  ids: readonly string[],
): Promise<LightMyRequestResponse[]> => {
  const responses: LightMyRequestResponse[] = [];
  for (const id of ids) responses.push(await test.settle(test.lookUp(id)));
  return responses;
};
