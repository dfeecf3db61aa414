import { describe, expect, it } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

const nobodyLeaves = new AbortController().signal;

const setUp = () => {
  const flights: {
    signal: AbortSignal;
    ignoreAbort: () => void;
    answer: (value: string) => void;
    fail: () => void;
  }[] = [];
  const singleFlight = createSingleFlight<string, string>({
    run: (_key, signal) =>
      new Promise((answer, reject) => {
        const abort = () => reject(signal.reason as Error);
        signal.addEventListener('abort', abort);
        const ignoreAbort = () => signal.removeEventListener('abort', abort);
        flights.push({ signal, ignoreAbort, answer, fail: () => reject(new Error('failed')) });
      }),
    abortReason: () => new Error('aborted'),
  });
  return { flights, singleFlight };
};

describe('createSingleFlight', () => {
  it('shares a flight between those who ask at the same time, and only then', async () => {
    const { flights, singleFlight } = setUp();
    const both = [singleFlight.join('a', nobodyLeaves), singleFlight.join('a', nobodyLeaves)];
    flights[0]?.answer('here');
    expect(await Promise.all(both)).toEqual(['here', 'here']);
    void singleFlight.join('a', nobodyLeaves);
    expect(flights).toHaveLength(2);
  });

  it('passes a failure on to all callers and forgets it', async () => {
    const { flights, singleFlight } = setUp();
    const both = [singleFlight.join('a', nobodyLeaves), singleFlight.join('a', nobodyLeaves)];
    flights[0]?.fail();
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    void singleFlight.join('a', nobodyLeaves);
    expect(flights).toHaveLength(2);
  });

  it('is aborted when the last caller leaves', async () => {
    const { flights, singleFlight } = setUp();
    const [one, other] = [new AbortController(), new AbortController()];
    const both = [singleFlight.join('a', one.signal), singleFlight.join('a', other.signal)];
    one.abort();
    expect(flights[0]?.signal.aborted).toBe(false);
    other.abort();
    expect(flights[0]?.signal.aborted).toBe(true);
    await expect(Promise.all(both)).rejects.toThrow('aborted');
    void singleFlight.join('a', nobodyLeaves);
    expect(flights).toHaveLength(2);
  });

  it('does not start for a caller that has already left', async () => {
    const { flights, singleFlight } = setUp();
    await expect(singleFlight.join('a', AbortSignal.abort())).rejects.toThrow('aborted');
    expect(flights).toEqual([]);
  });

  it('starts again for a caller that comes in the moment after that', async () => {
    const { flights, singleFlight } = setUp();
    const caller = new AbortController();
    const left = singleFlight.join('a', caller.signal);
    caller.abort();
    const late = singleFlight.join('a', nobodyLeaves);
    await expect(left).rejects.toThrow('aborted');
    await Promise.resolve();
    flights[1]?.answer('here');
    expect(await late).toBe('here');
  });

  it('goes on where the signal is ignored, for those who ask meanwhile', async () => {
    const { flights, singleFlight } = setUp();
    const caller = new AbortController();
    void singleFlight.join('a', caller.signal);
    flights[0]?.ignoreAbort();
    caller.abort();
    const late = singleFlight.join('a', nobodyLeaves);
    flights[0]?.answer('here');
    expect(await late).toBe('here');
    expect(flights).toHaveLength(1);
  });
});
