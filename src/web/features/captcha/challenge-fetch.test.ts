import { describe, expect, it } from 'vitest';
import { createChallengeFetch } from './challenge-fetch.ts';

describe('fetching a challenge for the widget', () => {
  it('leaves a challenge for the widget to read', async () => {
    const challenge = createChallengeFetch(async () => Response.json({ salt: 's' }));
    const response = await challenge.fetch('/challenge');
    expect(await response.json()).toEqual({ salt: 's' });
    expect(challenge.refusal()).toBeUndefined();
  });

  it('keeps the sentence of a refusal', async () => {
    const body = { error: 'Too many challenges.', code: 'visitor-limit' };
    const challenge = createChallengeFetch(async () => Response.json(body, { status: 429 }));
    const response = await challenge.fetch('/challenge');
    expect(response.status).toBe(429);
    expect(challenge.refusal()).toBe('Too many challenges.');
  });

  it.each([new Response('<h1>Bad gateway</h1>', { status: 502 }), Response.json(null, { status: 500 })])(
    'has no sentence when the server gave none',
    async (refused) => {
      const challenge = createChallengeFetch(async () => refused);
      await challenge.fetch('/challenge');
      expect(challenge.refusal()).toBeUndefined();
    },
  );

  it('ends the request when it is aborted', async () => {
    let signal: AbortSignal | null | undefined;
    const challenge = createChallengeFetch(async (_, init) => {
      signal = init?.signal;
      return Response.json({});
    });
    await challenge.fetch('/challenge');
    expect(signal?.aborted).toBe(false);
    challenge.abort();
    expect(signal?.aborted).toBe(true);
  });
});
