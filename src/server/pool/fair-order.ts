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
  const places = new Map<W, Place<W>>();
  let now = 0;
  let arrivals = 0;

  const lineOf = (network: number): Line<W> => {
    const line = lines.get(network) ?? { spentUntil: -Infinity, places: [] };
    lines.set(network, line);
    return line;
  };

  const startOf = ({ spentUntil }: Line<W>): number => Math.max(now - SAVED, spentUntil);

  const turnOf = (place: Place<W>): number => {
    let turn = startOf(place.line);
    for (const one of place.line.places) {
      turn += one.cost;
      if (one === place) break;
    }
    return turn;
  };

  const byTurn = (one: Place<W>, other: Place<W>): number =>
    turnOf(one) - turnOf(other) || one.arrival - other.arrival;
  const ends = (at: 0 | -1): Place<W>[] => [...lines.values()].flatMap(({ places }) => places.at(at) ?? []);

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
      ends(0)
        .filter(({ line }) => startOf(line) < now)
        .map(({ waiter }) => waiter),
    oldest: (): W | undefined =>
      [...places.values()].toSorted((one, other) => one.arrival - other.arrival)[0]?.waiter,
    /** With another ticket for somebody who waits already the better place of the two counts. */
    add: (waiter: W, { network, work }: Ticket): void => {
      const before = places.get(waiter);
      const line = lineOf(network);
      const place: Place<W> = { waiter, line, cost: 1 / work, arrival: before?.arrival ?? (arrivals += 1) };
      line.places.push(place);
      if (before !== undefined && byTurn(before, place) <= 0) return leaveLine(place);
      if (before !== undefined) leaveLine(before);
      places.set(waiter, place);
    },
    remove,
    takeNext: (): W | undefined => {
      const next = ends(0).toSorted(byTurn)[0];
      if (next === undefined) return undefined;
      const { line, waiter } = next;
      const turn = turnOf(next);
      now = Math.max(now, startOf(line));
      line.spentUntil = turn;
      remove(waiter);
      forgetLines();
      return waiter;
    },
    last: (): W | undefined => ends(-1).toSorted(byTurn).at(-1)?.waiter,
  };
};
