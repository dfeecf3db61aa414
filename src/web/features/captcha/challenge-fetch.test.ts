import { describe, expect, it } from 'vitest';
import { createChallengeFetch } from './challenge-fetch.ts';

describe('fetching a challenge for the widget', () => {
  it('leaves a challenge for the widget to read', async () => {
    const challenge = createChallengeFetch(async () => Response.json({ salt: 's' }));
    const response = await challenge.fetch('/challenge');
    expect(await response.json()).toEqual({ salt: 's' });
    expect(challenge.refusal()).toBeUndefined();
  });

  it('keeps the sentence of a refusal and its wait', async () => {
    const body = { error: 'Too many challenges.', code: 'visitor-limit', retry_after: 3 };
    const challenge = createChallengeFetch(async () => Response.json(body, { status: 429 }));
    const response = await challenge.fetch('/challenge');
    expect(response.status).toBe(429);
    expect(challenge.refusal()).toMatchObject({ message: 'Too many challenges.', retryAfterSeconds: 3 });
  });

  it.each([new Response('<h1>Bad gateway</h1>', { status: 502 }), Response.json(null, { status: 500 })])(
    'says that it failed when the server says nothing',
    async (refused) => {
      const challenge = createChallengeFetch(async () => refused);
      await challenge.fetch('/challenge');
      expect(challenge.refusal()?.message).toBe('Verification failed. Please try again.');
    },
  );

  it('leaves what is no challenge to the widget, with the header that may configure it', async () => {
    const headers = { 'x-altcha-config': '{}' };
    const challenge = createChallengeFetch(async () => new Response('{', { headers }));
    const response = await challenge.fetch('/challenge');
    await expect(response.json()).rejects.toThrow(SyntaxError);
    expect(response.headers.get('x-altcha-config')).toBe('{}');
    expect(challenge.refusal()).toBeUndefined();
  });

  it('says when the server cannot be reached, and forgets it when it can', async () => {
    const answers = [() => Promise.reject(new TypeError('offline')), async () => Response.json({})];
    const challenge = createChallengeFetch(() => answers.shift()!());
    await expect(challenge.fetch('/challenge')).rejects.toThrow('offline');
    expect(challenge.refusal()?.message).toBe(
      'The server cannot be reached. Check your connection and retry.',
    );
    await challenge.fetch('/challenge');
    expect(challenge.refusal()).toBeUndefined();
  });

  it('stays silent when it is aborted, also half way through the answer', async () => {
    const halfRead = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
    const challenge = createChallengeFetch(async () => {
      challenge.abort();
      return new Response(halfRead);
    });
    const settled: string[] = [];
    const note = (outcome: string) => (): void => void settled.push(outcome);
    void challenge.fetch('/challenge').then(note('answered'), note('failed'));
    await new Promise((resolve) => setTimeout(resolve));
    expect(settled).toEqual([]);
  });

  it('tells that it was asked, also if it is aborted by then', async () => {
    const challenge = createChallengeFetch(async () => Response.json({}));
    let asked = false;
    void challenge.asked.then(() => (asked = true));
    await Promise.resolve();
    expect(asked).toBe(false);
    challenge.abort();
    void challenge.fetch('/challenge');
    await challenge.asked;
    expect(asked).toBe(true);
  });

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
