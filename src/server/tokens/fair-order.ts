export type Ticket = {
  /** Stands for the visitor's network; no address can be derived from it. */
  readonly network: number;
  /** How many times the default difficulty the proof had. */
  readonly work: number;
};

export type Tickets = { readonly all: Ticket[]; onMore: (ticket: Ticket) => void };

export const addTicket = (tickets: Tickets, ticket: Ticket): void => {
  tickets.all.push(ticket);
  tickets.onMore(ticket);
};

export const ticketsOf = (ticket: Ticket): Tickets => ({ all: [ticket], onMore: () => {} });

type Line<W> = {
  spentUntil: number;
  readonly places: Place<W>[];
};

type Place<W> = {
  readonly waiter: W;
  readonly line: Line<W>;
  readonly cost: number;
  readonly arrival: number;
};

/** Turns that a network saves up while it asks for nothing: they put it ahead of networks that always ask. */
const SAVED = 2;
const MAX_LINES = 1_000;

/** Start-time fair queueing: networks get equal shares, and a turn costs less of it the more work the proof took. */
export const createFairOrder = <W>() => {
  const lines = new Map<number, Line<W>>();
  /** In the order in which they came. */
  const places = new Map<W, Place<W>>();
  let now = 0;
  let arrivals = 0;

  const lineOf = (network: number): Line<W> => {
    const line = lines.get(network) ?? { spentUntil: -Infinity, places: [] };
    lines.set(network, line);
    return line;
  };

  const startOf = ({ spentUntil }: Line<W>): number => Math.max(now - SAVED, spentUntil);

  const turnsIn = (line: Line<W>) => {
    let turn = startOf(line);
    return line.places.map((place) => {
      turn += place.cost;
      return { place, turn };
    });
  };
  const inOrder = () =>
    [...lines.values()]
      .flatMap(turnsIn)
      .toSorted((one, other) => one.turn - other.turn || one.place.arrival - other.place.arrival);

  const leaveLine = (place: Place<W>): void => {
    place.line.places.splice(place.line.places.indexOf(place), 1);
  };

  const remove = (waiter: W): void => {
    const place = places.get(waiter);
    if (place === undefined) return;
    leaveLine(place);
    places.delete(waiter);
    if (places.size > 0) return;
    lines.clear();
    now = 0;
  };

  const forgetLines = (): void => {
    for (const [network, line] of lines)
      if (line.places.length === 0 && (line.spentUntil <= now - SAVED || lines.size > MAX_LINES))
        lines.delete(network);
  };

  return {
    size: () => places.size,
    has: (waiter: W): boolean => places.has(waiter),
    firstOfLightUsers: (): W[] =>
      [...lines.values()]
        .filter((line) => startOf(line) < now)
        .flatMap((line) => line.places[0]?.waiter ?? []),
    oldest: (): W | undefined => places.keys().next().value,
    last: (): W | undefined => inOrder().at(-1)?.place.waiter,
    /** With another ticket for somebody who waits already the better place of the two counts. */
    add: (waiter: W, { network, work }: Ticket): void => {
      const line = lineOf(network);
      const arrival = places.get(waiter)?.arrival ?? (arrivals += 1);
      const place: Place<W> = { waiter, line, cost: 1 / work, arrival };
      line.places.push(place);
      if (!places.has(waiter)) return void places.set(waiter, place);
      const [better, worse] = inOrder().filter((one) => one.place.waiter === waiter);
      if (better !== undefined) places.set(waiter, better.place);
      if (worse !== undefined) leaveLine(worse.place);
    },
    remove,
    takeNext: (): W | undefined => {
      const next = inOrder()[0];
      if (next === undefined) return undefined;
      const { line, waiter } = next.place;
      now = Math.max(now, startOf(line));
      line.spentUntil = next.turn;
      remove(waiter);
      forgetLines();
      return waiter;
    },
  };
};
