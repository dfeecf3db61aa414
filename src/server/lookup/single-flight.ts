import { addTicket, ticketsOf, type Ticket, type Tickets } from '#server/pool/ticket.ts';

export type SingleFlightOptions<K, V> = {
  /** May ignore the signal once the answer is worth having even if nobody waits for it. */
  readonly run: (key: K, tickets: Tickets, signal: AbortSignal) => Promise<V>;
  readonly abortReason: () => Error;
};

type Flight<V> = {
  readonly answer: Promise<V>;
  readonly controller: AbortController;
  /** Of all callers so far. */
  readonly tickets: Tickets;
  callers: number;
};

/** Callers that ask for the same thing at the same time share one flight. */
export const createSingleFlight = <K, V>({ run, abortReason }: SingleFlightOptions<K, V>) => {
  const flights = new Map<K, Flight<V>>();

  const start = (key: K, ticket: Ticket): Flight<V> => {
    const controller = new AbortController();
    const tickets = ticketsOf(ticket);
    const answer = run(key, tickets, controller.signal).finally(() => flights.delete(key));
    // Every caller may have left by the time it fails.
    answer.catch(() => {});
    const flight: Flight<V> = { answer, controller, tickets, callers: 0 };
    flights.set(key, flight);
    return flight;
  };

  /** `leaving` fires when this caller no longer waits; a flight that nobody waits for is aborted. */
  const join = async (key: K, ticket: Ticket, leaving: AbortSignal): Promise<V> => {
    // An aborted signal fires no more events.
    if (leaving.aborted) throw abortReason();
    const existing = flights.get(key);
    const flight = existing ?? start(key, ticket);
    // A caller that comes after the last one has left shares the answer if there will be one, and otherwise asks again.
    if (flight.controller.signal.aborted) return flight.answer.catch(() => join(key, ticket, leaving));
    flight.callers += 1;
    if (existing !== undefined) addTicket(flight.tickets, ticket);
    const leave = (): void => {
      flight.callers -= 1;
      if (flight.callers === 0) flight.controller.abort(abortReason());
    };
    leaving.addEventListener('abort', leave, { once: true });
    return flight.answer;
  };

  return { join };
};
