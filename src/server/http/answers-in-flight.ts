import type { Server, ServerResponse } from 'node:http';
import { AppError } from '#server/app-error.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from './error-answer.ts';

const RETRY_MS = 2_000;

/** Remembers what is still to be answered, for the case that this process never will. */
export const watchAnswers = (server: Server, deps: ErrorAnswerDeps) => {
  const open = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  return {
    /** Accepts nothing more, and tells all who wait to come back. Resolves once that is sent. */
    abandon: async (): Promise<void> => {
      server.close();
      const { status, headers, content } = toRawErrorAnswer(
        new AppError('overloaded', { retryAfterMs: RETRY_MS }),
        deps,
      );
      const tell = (response: ServerResponse) =>
        new Promise<void>((resolve) => {
          response.once('close', resolve);
          // What has begun can only be broken off.
          if (response.headersSent) response.destroy();
          else response.writeHead(status, { ...headers, connection: 'close' }).end(content);
        });
      await Promise.all([...open].map(tell));
    },
  };
};
