import type { RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '#server/system.ts';
import type { Socket } from 'node:net';

/** More than any client needs, and few enough that ten thousand such connections do no harm. */
export const MAX_WAITING_REQUESTS = 7;

export type BusySocket = Socket & {
  /** The address, or the IPv6 /64, that the connection counts against; a trusted proxy's counts against none. */
  countedAs?: string;
  isMisused?: boolean;
  /** What is being answered, until the turn after its end. */
  answering?: ServerResponse | undefined;
  waiting?: ServerResponse[];
};

export const isFull = ({ waiting }: BusySocket): boolean => waiting?.length === MAX_WAITING_REQUESTS;

/** A connection's next request starts in a later turn of the event loop, so that others come in between. */
export const serializePipelining = (answer: RequestListener, clock: Clock): RequestListener => {
  const answerNow = (response: ServerResponse): void => {
    if (!response.req.socket.destroyed) answer(response.req, response);
  };
  const takeTurn = createFairTurns(clock, answerNow);

  const start = (socket: BusySocket, response: ServerResponse): void => {
    socket.answering = response;
    response.on('close', () => {
      if (answered.push(socket) === 1) setImmediate(startWaiting);
    });
    if (socket.countedAs === undefined) answerNow(response);
    else takeTurn(socket.countedAs, response);
  };
  /** One immediate for all: each would cost its request some microseconds. */
  let answered: BusySocket[] = [];
  const startWaiting = (): void => {
    const sockets = answered;
    answered = [];
    for (const socket of sockets) startNext(socket);
  };
  const startNext = (socket: BusySocket): void => {
    const next = socket.waiting?.shift();
    if (next === undefined) socket.answering = undefined;
    else if (!socket.destroyed) start(socket, next);
  };

  return ({ socket }: { socket: BusySocket }, response) => {
    if (socket.answering === undefined) start(socket, response);
    else (socket.waiting ??= []).push(response);
  };
};

const ALONE_AFTER_MS = 100;
const LONE_TURN_MS = 1;

/** An address starts one request in each turn of the event loop; if alone, more: looking for others costs as much. */
export const createFairTurns = <Item extends object | string>(clock: Clock, start: (item: Item) => void) => {
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

  return (address: string, item: Item): void => {
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
