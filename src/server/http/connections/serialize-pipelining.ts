import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { CountedSocket } from './address-limit.ts';
import { createFairTurns } from './fair-turns.ts';

/** More than any client needs, and few enough that ten thousand such connections do no harm. */
export const MAX_WAITING_REQUESTS = 7;

type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/** Kept on the socket: a WeakMap would cost each request half a microsecond. */
type BusySocket = CountedSocket & {
  /** What waits for the request that is being answered; undefined while there is none. */
  waiting?: Exchange[] | undefined;
};

export const isBusy = (socket: BusySocket): boolean => socket.waiting !== undefined;
export const isFull = ({ waiting }: BusySocket): boolean => waiting?.length === MAX_WAITING_REQUESTS;

/**
 * Node hands over every request that one read of a connection brings at once. Here a connection's next request starts
 * after its previous answer has been sent, and in a later turn of the event loop, so that others come in between.
 */
export const serializePipelining = (answer: RequestListener): RequestListener => {
  const takeTurn = createFairTurns();

  const start = (socket: BusySocket, [request, response]: Exchange): void => {
    response.once('close', () => setImmediate(startNext, socket));
    const answerNow = (): void => {
      if (!socket.destroyed) answer(request, response);
    };
    if (socket.countedAs === undefined) answerNow();
    else takeTurn(socket.countedAs, answerNow);
  };
  const startNext = (socket: BusySocket): void => {
    const next = socket.waiting?.shift();
    if (next === undefined) socket.waiting = undefined;
    else if (!socket.destroyed) start(socket, next);
  };

  return (request, response) => {
    const socket: BusySocket = request.socket;
    if (socket.waiting !== undefined) return void socket.waiting.push([request, response]);
    socket.waiting = [];
    start(socket, [request, response]);
  };
};
