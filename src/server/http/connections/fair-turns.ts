import type { Clock } from '#server/system.ts';

/** Starts an item of an address at once if it is its first in this turn or the turn is still short, else in a later one. */
export type FairTurns<Item> = (address: string, item: Item) => void;

/** A turn that has taken this long starts nothing more of an address that has had its share. */
const SHORT_TURN_MS = 1;

/**
 * The event loop handles all that has arrived, and accepts one connection, before it looks for more. An address with
 * many connections would make each turn as long as they like; here others come in after one of its requests, or after
 * as many as a short turn has room for: to look for more costs as much as a small request.
 */
export const createFairTurns = <Item extends object | string>(
  clock: Clock,
  start: (item: Item) => void,
): FairTurns<Item> => {
  /** What waits, by the addresses that have had their turn. */
  const waiting = new Map<string, Item[]>();
  let longFromMs = 0;
  const isShort = (): boolean => clock.monotonicMs() < longFromMs;

  const startOneOfEach = (): boolean => {
    let isAnyStarted = false;
    for (const queue of waiting.values()) {
      const item = queue.shift();
      if (item === undefined) continue;
      isAnyStarted = true;
      start(item);
    }
    return isAnyStarted;
  };
  const beginTurn = (): void => {
    longFromMs = clock.monotonicMs() + SHORT_TURN_MS;
    for (const [address, queue] of waiting) if (queue.length === 0) waiting.delete(address);
    if (waiting.size > 0) setImmediate(beginTurn);
    while (startOneOfEach() && isShort());
  };

  return (address, item) => {
    const queue = waiting.get(address);
    if (queue === undefined) {
      if (waiting.size === 0) {
        longFromMs = clock.monotonicMs() + SHORT_TURN_MS;
        setImmediate(beginTurn);
      }
      waiting.set(address, []);
      start(item);
    } else if (queue.length === 0 && isShort()) start(item);
    else queue.push(item);
  };
};
