import type { RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '#server/system.ts';
import type { CountedSocket } from './address-limit.ts';
import { createFairTurns } from './fair-turns.ts';

/** More than any client needs, and few enough that ten thousand such connections do no harm. */
export const MAX_WAITING_REQUESTS = 7;

/** Kept on the socket: a WeakMap would cost each request half a microsecond. */
type BusySocket = CountedSocket & {
  /** A request is being answered. */
  isBusy?: boolean;
  /** The answers to the requests that wait for it; undefined until there is one. */
  waiting?: ServerResponse[];
};

export const isBusy = (socket: BusySocket): boolean => socket.isBusy === true;
export const isFull = ({ waiting }: BusySocket): boolean => waiting?.length === MAX_WAITING_REQUESTS;

/**
 * Node hands over every request that one read of a connection brings at once. Here a connection's next request starts
 * after its previous answer has been sent, and in a later turn of the event loop, so that others come in between.
 */
export const serializePipelining = (answer: RequestListener, clock: Clock): RequestListener => {
  const answerNow = (response: ServerResponse): void => {
    if (!response.req.socket.destroyed) answer(response.req, response);
  };
  const takeTurn = createFairTurns(clock, answerNow);

  const start = (socket: BusySocket, response: ServerResponse): void => {
    response.on('close', () => end(socket));
    if (socket.countedAs === undefined) answerNow(response);
    else takeTurn(socket.countedAs, response);
  };
  /** One immediate for all: each would cost its request a microsecond. */
  let ended: BusySocket[] = [];
  const end = (socket: BusySocket): void => {
    if (ended.push(socket) === 1) setImmediate(startNext);
  };
  const startNext = (): void => {
    const free = ended;
    ended = [];
    for (const socket of free) {
      const next = socket.waiting?.shift();
      if (next === undefined) socket.isBusy = false;
      else if (!socket.destroyed) start(socket, next);
    }
  };

  return ({ socket }: { socket: BusySocket }, response) => {
    if (socket.isBusy === true) return void (socket.waiting ??= []).push(response);
    socket.isBusy = true;
    start(socket, response);
  };
};
