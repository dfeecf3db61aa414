import { expect, it } from 'vitest';
import type { ChallengeAnswer } from './ask-challenge.ts';
import { createWidgetChallenge } from './widget-challenge.ts';

const URL = 'https://site.example/challenge';

const answerWith = (valid: boolean): ChallengeAnswer => ({
  response: Response.json({}),
  valid,
  search: undefined,
  prove: async () => undefined,
  expiresMs: Infinity,
});

it('a failure to get a challenge is told until there is one, and what is no challenge is not shown', async () => {
  const answers = [
    Promise.reject(new TypeError('offline')),
    Promise.resolve(answerWith(true)),
    Promise.resolve(answerWith(false)),
  ];
  const challenge = createWidgetChallenge({
    challengeUrl: URL,
    fetch: async () => new Response(),
    ask: () => ({ answer: answers.shift() ?? Promise.reject(new Error()), end: () => undefined }),
    startStockWorker: () => ({}) as never,
    explain: () => ({ name: 'failed' }),
  });
  await expect(challenge.fetch(URL)).rejects.toThrow('offline');
  expect(challenge.refusal()).toEqual({ name: 'failed' });
  await challenge.fetch(URL);
  expect(challenge.refusal()).toBeUndefined();
  expect((await challenge.fetch(URL)).status).toBe(422);
});
