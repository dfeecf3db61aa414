import type { Clock } from '#server/system.ts';

/** Starts an item of an address at once if it is its first in this turn, or if nobody else is there to wait for it. */
export type FairTurns<Item> = (address: string, item: Item) => void;

/** An address is alone if no other has asked for a while; its turns are this long. */
const ALONE_AFTER_MS = 100;
const LONE_TURN_MS = 1;

/**
 * The event loop handles all that has arrived, and accepts one connection, before it looks for more. An address with
 * many connections could make each turn as long as it likes; here others come in after one of its requests. An address
 * that is alone starts more in a turn, because looking for more costs as much as a small request.
 */
export const createFairTurns = <Item extends object | string>(
  clock: Clock,
  start: (item: Item) => void,
): FairTurns<Item> => {
  /** What waits, by the addresses that have had their turn. */
  const waiting = new Map<string, Item[]>();
  let lastAddress = '';
  let aloneFromMs = 0;
  let turnEndMs = 0;
  const hasRoom = (): boolean => {
    const nowMs = clock.monotonicMs();
    return nowMs < turnEndMs && nowMs >= aloneFromMs;
  };
  const noteAddress = (address: string): void => {
    if (address === lastAddress) return;
    lastAddress = address;
    aloneFromMs = clock.monotonicMs() + ALONE_AFTER_MS;
  };

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
    turnEndMs = clock.monotonicMs() + LONE_TURN_MS;
    for (const [address, queue] of waiting) if (queue.length === 0) waiting.delete(address);
    if (waiting.size > 0) setImmediate(beginTurn);
    while (startOneOfEach() && hasRoom());
  };

  return (address, item) => {
    noteAddress(address);
    const queue = waiting.get(address);
    if (queue === undefined) {
      if (waiting.size === 0) {
        turnEndMs = clock.monotonicMs() + LONE_TURN_MS;
        setImmediate(beginTurn);
      }
      waiting.set(address, []);
      start(item);
    } else if (queue.length === 0 && hasRoom()) start(item);
    else queue.push(item);
  };
};
