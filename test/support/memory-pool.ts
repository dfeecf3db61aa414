import { createInBackground } from '#server/storage/redis/in-background.ts';
import { createTokenPool, type TokenPool, type TokenPoolDeps } from '#server/pool/token-pool.ts';
import { openMemoryTokenStore } from '#server/pool/token-store/memory-token-store.ts';

/** In a test, nothing in the background may fail unnoticed. */
export const testInBackground = createInBackground((error) => {
  throw error;
});

/** The pool of a single process. */
export const createMemoryPool = (
  deps: Pick<TokenPoolDeps, 'clock' | 'platform'> & Partial<TokenPoolDeps>,
): TokenPool =>
  createTokenPool({
    openStore: openMemoryTokenStore(deps.clock),
    idOf: ({ botId, secret }) => `${botId}:${secret.reveal()}`,
    inBackground: testInBackground,
    onSuspected: () => {},
    ...deps,
  });
