import { expect, it } from 'vitest';
import { createSingleFlight } from './lookup.ts';

const nobodyLeaves = new AbortController().signal;
const TICKET = { network: 1, work: 1 };

const setUp = () => {
  const flights: { signal: AbortSignal; answer: (value: string) => void }[] = [];
  const singleFlight = createSingleFlight<string, string>(
    (_key, _tickets, signal) =>
      new Promise((answer, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        flights.push({ signal, answer });
      }),
  );
  return { flights, singleFlight };
};

it('hands on the tickets of all callers, also of those who come later', async () => {
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
  const both = [1, 2].map((network) => singleFlight('a', { network, work: 1 }, nobodyLeaves));
  expect(await Promise.all(both)).toEqual(['here', 'here']);
  expect(seen).toEqual([1, 2]);
});

it('does not start for a caller that has already left', async () => {
  const { flights, singleFlight } = setUp();
  await expect(singleFlight('a', TICKET, AbortSignal.abort())).rejects.toThrow('pool-busy');
  expect(flights).toEqual([]);
});

it('starts again for a caller that comes in the moment after that', async () => {
  const { flights, singleFlight } = setUp();
  const caller = new AbortController();
  const left = singleFlight('a', TICKET, caller.signal);
  caller.abort();
  const late = singleFlight('a', TICKET, nobodyLeaves);
  await expect(left).rejects.toThrow('pool-busy');
  await Promise.resolve();
  flights[1]?.answer('here');
  expect(await late).toBe('here');
});
