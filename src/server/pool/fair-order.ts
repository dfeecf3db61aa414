/** What decides when it is a lookup's turn to get a token. */
export type Ticket = {
  /** Stands for the visitor's network; no address can be derived from it. */
  readonly network: number;
  /** How many times the default difficulty the proof had. */
  readonly work: number;
};

/** The tickets of all who wait for the same lookup; `onMore` is called for those who join. */
export type Tickets = { readonly all: Ticket[]; onMore: (ticket: Ticket) => void };

export const addTicket = (tickets: Tickets, ticket: Ticket): void => {
  tickets.all.push(ticket);
  tickets.onMore(ticket);
};

export const ticketsOf = (ticket: Ticket): Tickets => ({ all: [ticket], onMore: () => {} });

/** The places of one network, first come, first served. */
type Line<W> = {
  /** Where its next turn begins, on the scale of `now`. */
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
/** With more networks than this, those that do not wait are forgotten. */
const MAX_LINES = 1_000;

/**
 * Start-time fair queueing: every network gets the same share, however many of its lookups wait. A turn costs less of
 * the share the more work the proof took, so proofs from before a shortage lose to those that it made harder.
 * Nothing is remembered once nobody waits.
 */
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
  /** The first place, or the last, of each network that waits. */
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
    /** The first of each network that has turns saved up. */
    firstOfLightUsers: (): W[] =>
      ends(0)
        .filter(({ line }) => startOf(line) < now)
        .map(({ waiter }) => waiter),
    oldest: (): W | undefined => ends(0).toSorted((one, other) => one.arrival - other.arrival)[0]?.waiter,
    /** A number for somebody who may have to wait: it keeps the place ahead of all who come later. */
    arrive: (): number => (arrivals += 1),
    /** One who already waits moves if this ticket brings the turn forward. */
    add: (waiter: W, { network, work }: Ticket, arrivedAs = (arrivals += 1)): void => {
      const before = places.get(waiter);
      const line = lineOf(network);
      const arrival = before?.arrival ?? arrivedAs;
      const place: Place<W> = { waiter, line, cost: 1 / work, arrival };
      const isLater = (one: Place<W>): boolean => before === undefined && one.arrival > arrival;
      line.places.splice(line.places.findLastIndex((one) => !isLater(one)) + 1, 0, place);
      const isBetter = before === undefined || byTurn(place, before) < 0;
      const worse = isBetter ? before : place;
      if (worse !== undefined) leaveLine(worse);
      if (isBetter) places.set(waiter, place);
    },
    remove,
    /** Takes out the one whose turn it is. */
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
    /** Whose turn comes last. */
    last: (): W | undefined => ends(-1).toSorted(byTurn).at(-1)?.waiter,
  };
};
