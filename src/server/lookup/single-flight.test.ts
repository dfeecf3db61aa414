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

it('a lookup does not start for who has left, and starts again for who comes in the moment after', async () => {
  const answers: ((value: string) => void)[] = [];
  const singleFlight = createSingleFlight<string, string>(
    (_key, _tickets, signal) =>
      new Promise((answer, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        answers.push(answer);
      }),
  );
  await expect(singleFlight('a', ticket(1), AbortSignal.abort())).rejects.toThrow('pool-busy');
  expect(answers).toEqual([]);
  const caller = new AbortController();
  const left = singleFlight('a', ticket(1), caller.signal);
  caller.abort();
  const late = singleFlight('a', ticket(1), nobodyLeaves);
  await expect(left).rejects.toThrow('pool-busy');
  await Promise.resolve();
  answers[1]?.('here');
  expect(await late).toBe('here');
});
