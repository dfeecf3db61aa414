import { expect, it } from 'vitest';
import {
  ANSWER_MS,
  CALL_MS,
  CONNECT_MS,
  HEADERS_MS,
  IN_TRANSIT_MS,
  LOOKUP_MS,
  SHORTEST_CALL_MS,
  STOP_MS,
} from './deadlines.ts';

it('ends a call in its own time: connecting, then the headers, then the body', () => {
  expect(CONNECT_MS).toBeLessThan(HEADERS_MS);
  expect(HEADERS_MS).toBeLessThan(CALL_MS);
});

it('leaves time for another call after one that took all of its own', () => {
  expect(CALL_MS + SHORTEST_CALL_MS).toBeLessThan(LOOKUP_MS);
});

it('cuts off no answer that is under way when the server stops', () => {
  expect(IN_TRANSIT_MS + ANSWER_MS).toBeLessThan(STOP_MS);
});
