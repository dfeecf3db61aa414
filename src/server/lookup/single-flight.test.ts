import { expect, it } from 'vitest';
import { createSingleFlight } from './lookup.ts';

const nobodyLeaves = new AbortController().signal;
const ticket = (network: number) => ({ network, work: 1 });

it('a shared lookup has the tickets of all who want it, also of those who come later', async () => {
  const seen: number[] = [];
  const singleFlight = createSingleFlight<string, string>(async (_key, tickets) => {
    seen.push(...tickets.all.map(({ network }) => network));
    return new Promise((resolve) => {
      tickets.onMore = ({ network }) => {
        seen.push(network);
        resolve('here');
      };
    });
  });
  const both = [1, 2].map((network) => singleFlight('a', ticket(network), nobodyLeaves));
  expect(await Promise.all(both)).toEqual(['here', 'here']);
  expect(seen).toEqual([1, 2]);
});
