import { Agent, request } from 'undici';
import type { Challenge } from '#shared/contract/challenge.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { distinctIds } from '#test/support/many-lookups.ts';

export type LookupLoop = {
  /** Ends it and tells how the lookups went. */
  readonly end: () => Promise<{ readonly lookups: number; readonly failures: readonly string[] }>;
};

/** One visitor who looks people up, one after the other, for as long as the rehearsal lasts. */
export const startLookupLoop = (origin: string): LookupLoop => {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const ids = distinctIds(10_000, 7);
  const failures: string[] = [];
  let lookups = 0;
  const loop = { goesOn: true };

  const lookUp = async (discord_id: string): Promise<void> => {
    const challenge = await request(`${origin}/challenge`, { dispatcher });
    const proof = encodeProof(solveChallenge((await challenge.body.json()) as Challenge));
    const answer = await request(`${origin}/lookup`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ discord_id, proof }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200 && answer.statusCode !== 404)
      failures.push(`${answer.statusCode} ${text.slice(0, 100)}`);
  };

  const running = (async () => {
    while (loop.goesOn) {
      lookups += 1;
      await lookUp(ids[lookups % ids.length] ?? '').catch((error: unknown) => failures.push(String(error)));
    }
  })();

  return {
    end: async () => {
      loop.goesOn = false;
      await running;
      await dispatcher.close();
      return { lookups, failures };
    },
  };
};
