import { expect, it, vi } from 'vitest';
import { parseConfig } from '#server/config.ts';
import { donate } from '#test/support/donor.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startTestApp } from '#test/support/test-app.ts';

const settings = (env: Readonly<Record<string, string>>) => {
  const parsed = parseConfig(env, () => '');
  if (!parsed.ok) throw new Error(parsed.problems.join(' '));
  return parsed.config;
};

it('leaves a lent token in the pool whose bot was also one of the own', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const own = settings({ BOT_TOKENS: [1, 2].map(test.sandbox.mintToken).join() });
  expect((await donate(test, test.sandbox.mintToken(1))).status).toBe(201);
  expect(test.app.reload(own)).toEqual({ tokensAdded: 2, tokensRemoved: 0 });
  expect(test.app.pool.counts().healthy).toBe(2);
  expect(test.app.reload(settings({}))).toEqual({ tokensAdded: 0, tokensRemoved: 2 });
  await vi.waitFor(() => expect(test.app.pool.counts().healthy).toBe(1), EVENTUALLY);
  expect(await test.settle(test.lookUp('441997505123577857'))).toMatchObject({ statusCode: 200 });
});
