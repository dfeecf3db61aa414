import { expect, it } from 'vitest';
import * as limits from './deadlines.ts';

it('every time limit leaves room for those within it', () => {
  const { HEADERS_MS, CALL_MS, SHORTEST_CALL_MS, LOOKUP_MS, ANSWER_MS } = limits;
  // A call: the headers, then the body.
  expect(HEADERS_MS).toBeLessThan(CALL_MS);
  // Another call after one that took all of its own.
  expect(CALL_MS + SHORTEST_CALL_MS).toBeLessThan(LOOKUP_MS);
  // An answer that is under way when the server stops.
  expect(ANSWER_MS).toBeLessThan(limits.STOP_MS);
});
