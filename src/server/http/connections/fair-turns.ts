/** Starts the first of an address at once, and each further one in a later turn of the event loop, in order. */
export type FairTurns = (address: string, start: () => void) => void;

/**
 * The event loop handles all that has arrived, and accepts one connection, before it looks for more. An address with
 * many connections would make each turn as long as they like; here others come in after one of its requests.
 */
export const createFairTurns = (): FairTurns => {
  /** What waits, by the addresses that have had their turn. */
  const waiting = new Map<string, (() => void)[]>();

  const beginTurn = (): void => {
    const due: (() => void)[] = [];
    for (const [address, queue] of waiting) {
      const start = queue.shift();
      if (start === undefined) waiting.delete(address);
      else due.push(start);
    }
    if (waiting.size > 0) setImmediate(beginTurn);
    for (const start of due) start();
  };

  return (address, start) => {
    const queue = waiting.get(address);
    if (queue !== undefined) return void queue.push(start);
    if (waiting.size === 0) setImmediate(beginTurn);
    waiting.set(address, []);
    start();
  };
};
