export type Ticket = {
  /** Stands for the visitor's network; no address can be derived from it. */
  readonly network: number;
  /** The many networks that one owner may have. */
  readonly block: number;
  /** How many times the default difficulty the proof had. */
  readonly work: number;
};

export type Tickets = { readonly all: Ticket[]; onMore: (ticket: Ticket) => void };

export const addTicket = (tickets: Tickets, ticket: Ticket): void => {
  tickets.all.push(ticket);
  tickets.onMore(ticket);
};

export const ticketsOf = (ticket: Ticket): Tickets => ({ all: [ticket], onMore: () => {} });

type Block = { spentUntil: number };

type Line<W> = Block & {
  readonly block: Block;
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
/** A carrier may have all of its customers in one block. */
const NETWORKS_PER_BLOCK = 8;

/** Start-time fair queueing: networks get equal shares, and a turn costs less of it the more work the proof took. */
export const createFairOrder = <W>() => {
  const lines = new Map<number, Line<W>>();
  const blocks = new Map<number, Block>();
  /** In the order in which they came. */
  const places = new Map<W, Place<W>>();
  let now = 0;
  let arrivals = 0;

  const lineOf = ({ network, block: name }: Ticket): Line<W> => {
    const block = blocks.get(name) ?? { spentUntil: -Infinity };
    const line = lines.get(network) ?? { spentUntil: -Infinity, block, places: [] };
    blocks.set(name, block);
    lines.set(network, line);
    return line;
  };

  const startOf = ({ spentUntil }: Block): number => Math.max(now - SAVED, spentUntil);
  const isLight = (line: Line<W>): boolean => startOf(line) < now && startOf(line.block) < now;

  const turnsIn = (line: Line<W>) => {
    let turn = startOf(line);
    return line.places.map((place) => {
      turn += place.cost;
      return { place, turn };
    });
  };
  type Turn = ReturnType<typeof turnsIn>[number];
  const compare = (one: Turn, other: Turn): number =>
    one.turn - other.turn || one.place.arrival - other.place.arrival;
  /** Nobody's turn comes before their network's, nor before their block's. */
  const inOrder = () => {
    const spent = new Map<Block, number>();
    const turns = [...lines.values()].flatMap(turnsIn).toSorted(compare);
    return turns
      .map(({ place, turn }) => {
        const { block } = place.line;
        const blockTurn = (spent.get(block) ?? startOf(block)) + place.cost / NETWORKS_PER_BLOCK;
        spent.set(block, blockTurn);
        return { place, networkTurn: turn, blockTurn, turn: Math.max(turn, blockTurn) };
      })
      .toSorted(compare);
  };

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
    blocks.clear();
    now = 0;
  };

  const forget = (): void => {
    const isOver = ({ spentUntil }: Block, known: number): boolean =>
      spentUntil <= now - SAVED || known > MAX_LINES;
    for (const [network, line] of lines)
      if (line.places.length === 0 && isOver(line, lines.size)) lines.delete(network);
    const inUse = new Set(lines.values().map(({ block }) => block));
    for (const [name, block] of blocks)
      if (!inUse.has(block) && isOver(block, blocks.size)) blocks.delete(name);
  };

  return {
    size: () => places.size,
    has: (waiter: W): boolean => places.has(waiter),
    firstOfLightUsers: (): W[] =>
      [...lines.values()].filter(isLight).flatMap((line) => line.places[0]?.waiter ?? []),
    oldest: (): W | undefined => places.keys().next().value,
    last: (): W | undefined => inOrder().at(-1)?.place.waiter,
    /** With another ticket for somebody who waits already the better place of the two counts. */
    add: (waiter: W, ticket: Ticket): void => {
      const line = lineOf(ticket);
      const arrival = places.get(waiter)?.arrival ?? (arrivals += 1);
      const place: Place<W> = { waiter, line, cost: 1 / ticket.work, arrival };
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
      now = Math.max(now, startOf(line), startOf(line.block));
      line.spentUntil = next.networkTurn;
      line.block.spentUntil = next.blockTurn;
      remove(waiter);
      forget();
      return waiter;
    },
  };
};
