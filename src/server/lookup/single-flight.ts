/** Callers who ask for the same thing at the same time share one flight. */
export type SingleFlight<K, V> = {
  /** `gone` fires when this caller no longer cares; a flight that nobody waits for is called off before it departs. */
  readonly join: (key: K, gone: AbortSignal) => Promise<V>;
};

/** `departed` is to be called once calling off makes no sense any more. */
type Fly<K, V> = (key: K, calledOff: AbortSignal, departed: () => void) => Promise<V>;

type Flight<V> = { readonly landed: Promise<V>; readonly callOff: () => void; passengers: number };

export const createSingleFlight = <K, V>(fly: Fly<K, V>): SingleFlight<K, V> => {
  const flights = new Map<K, Flight<V>>();

  const start = (key: K): Flight<V> => {
    const controller = new AbortController();
    let departed = false;
    const forget = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    const landed = fly(key, controller.signal, () => {
      departed = true;
    }).finally(forget);
    // Every passenger may have left by the time it fails.
    landed.catch(() => {});
    const callOff = (): void => {
      if (departed) return;
      forget();
      controller.abort();
    };
    const flight: Flight<V> = { landed, callOff, passengers: 0 };
    return flight;
  };

  return {
    join: (key, gone) => {
      const flight = flights.get(key) ?? start(key);
      flights.set(key, flight);
      flight.passengers += 1;
      const leave = (): void => {
        flight.passengers -= 1;
        if (flight.passengers === 0) flight.callOff();
      };
      gone.addEventListener('abort', leave, { once: true });
      return flight.landed;
    },
  };
};
