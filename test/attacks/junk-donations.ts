import { distinctIds, verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { createDice, type Dice } from './dice.ts';
import { createTally, type FuzzResult } from './tally.ts';

const AT_ONCE = 50;
/** The last one is rare: visitors who share a slot of the limits. */
const EXPECTED = ['422 token-rejected', '503 donations-paused', '429 visitor-limit'];
const WINDOW_MS = 600_000;
/** Of what the platform may hold against us in ten minutes, failed checks get no more than this. */
const MAX_ASKED = 100;

const junkToken = (dice: Dice): string => {
  const id = `9${Array.from({ length: 17 }, () => dice.below(10)).join('')}`;
  return [
    Buffer.from(id).toString('base64url'),
    dice.bytes(4).toString('base64url'),
    dice.bytes(20).toString('base64url'),
  ].join('.');
};

const donateJunk = async (test: TestApp, token: string, n: number): Promise<string> => {
  const answer = await test.app.server.inject({
    method: 'POST',
    url: '/donate-token',
    // Every one from another network, as a botnet would.
    remoteAddress: `${20 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.1`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ token, proof: await test.proof() }),
  });
  return verdictOf(answer);
};

/** Well-formed junk with valid proofs, spread over somewhat less than ten minutes, while people look others up. */
export const donateMuchJunk = async (seed: number, count: number): Promise<FuzzResult> => {
  await using test = await startTestApp({ tokens: 20, drawsZero: true, sandbox: { notFoundShare: 0 } });
  const dice = createDice(seed);
  const tally = createTally();
  const batches = Math.ceil(count / AT_ONCE);
  const startMs = test.system.clock.monotonicMs();
  const verdictCounts = new Map<string, number>();
  for (const [batch, id] of distinctIds(batches).entries()) {
    const tokens = Array.from({ length: AT_ONCE }, () => junkToken(dice));
    const verdicts = await test.settle(
      Promise.all(tokens.map((token, n) => donateJunk(test, token, batch * AT_ONCE + n))),
    );
    for (const verdict of verdicts) {
      verdictCounts.set(verdict, (verdictCounts.get(verdict) ?? 0) + 1);
      tally.check(EXPECTED.includes(verdict), () => verdict);
    }
    const lookup = verdictOf(await test.settle(test.lookUp(id)));
    tally.check(lookup === '200', () => `a lookup during the junk: ${lookup}`);
    const aheadMs = startMs + ((batch + 1) / batches) * WINDOW_MS * 0.9 - test.system.clock.monotonicMs();
    if (aheadMs > 0) await test.system.advance(aheadMs);
  }
  const [asked = 0, , limited = 0] = EXPECTED.map((verdict) => verdictCounts.get(verdict));
  const invalid = test.sandbox.stats().byStatus[401] ?? 0;
  tally.check(
    asked > 0 && invalid === asked && invalid <= MAX_ASKED,
    () => `${invalid} reached the platform`,
  );
  tally.check(limited < count / 100, () => `${limited} got no further than the limits on visitors`);
  tally.check(test.system.clock.monotonicMs() - startMs < WINDOW_MS, () => 'it took longer than the window');
  return { note: `${invalid} reached the platform`, ...tally.result() };
};
