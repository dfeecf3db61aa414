import { describe, expect, it } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

const nobodyLeaves = new AbortController().signal;

const setUp = () => {
  const flights: {
    calledOff: AbortSignal;
    depart: () => void;
    land: (value: string) => void;
    crash: () => void;
  }[] = [];
  const singleFlight = createSingleFlight<string, string>(
    (_key, calledOff, depart) =>
      new Promise((land, reject) => {
        calledOff.addEventListener('abort', () => reject(new Error('called off')));
        flights.push({ calledOff, depart, land, crash: () => reject(new Error('crashed')) });
      }),
  );
  return { flights, singleFlight };
};

describe('createSingleFlight', () => {
  it('shares a flight between those who ask at the same time, and only then', async () => {
    const { flights, singleFlight } = setUp();
    const both = [singleFlight.join('a', nobodyLeaves), singleFlight.join('a', nobodyLeaves)];
    flights[0]?.land('landed');
    expect(await Promise.all(both)).toEqual(['landed', 'landed']);
    void singleFlight.join('a', nobodyLeaves);
    expect(flights).toHaveLength(2);
  });

  it('tells everybody of a failure and forgets it', async () => {
    const { flights, singleFlight } = setUp();
    const both = [singleFlight.join('a', nobodyLeaves), singleFlight.join('a', nobodyLeaves)];
    flights[0]?.crash();
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    void singleFlight.join('a', nobodyLeaves);
    expect(flights).toHaveLength(2);
  });

  it('is called off when the last passenger leaves before departure', async () => {
    const { flights, singleFlight } = setUp();
    const [one, other] = [new AbortController(), new AbortController()];
    const both = [singleFlight.join('a', one.signal), singleFlight.join('a', other.signal)];
    one.abort();
    expect(flights[0]?.calledOff.aborted).toBe(false);
    other.abort();
    expect(flights[0]?.calledOff.aborted).toBe(true);
    await Promise.allSettled(both);
    void singleFlight.join('a', nobodyLeaves);
    expect(flights).toHaveLength(2);
  });

  it('goes on after departure, for whoever asks meanwhile', async () => {
    const { flights, singleFlight } = setUp();
    const passenger = new AbortController();
    void singleFlight.join('a', passenger.signal);
    flights[0]?.depart();
    passenger.abort();
    expect(flights[0]?.calledOff.aborted).toBe(false);
    const late = singleFlight.join('a', nobodyLeaves);
    flights[0]?.land('landed');
    expect(await late).toBe('landed');
    expect(flights).toHaveLength(1);
  });
});
