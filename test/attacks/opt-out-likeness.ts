import type { FaultSettings } from '#sandbox/faults/faults.ts';
import { distinctIds, verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { createTally, type FuzzResult } from './tally.ts';

type Look = { readonly verdict: string; readonly tookMs: number };
type Looks = Readonly<Record<'hidden' | 'unknown', Look[]>>;

type State = {
  readonly faults?: FaultSettings;
  readonly tokens?: number;
  readonly crowd?: number;
  readonly atOnce: number;
  readonly pauseMs: number;
};

const LOOKS = 80;
/** The chance that likes are taken for unlike, of each comparison. Real sockets are part of the test. */
const ERROR_CHANCE = 1e-6;

export const OPT_OUT_STATES = {
  'all is well': { faults: { latencyMs: 50, jitterMs: 200 }, atOnce: 8, pauseMs: 2_000 },
  'the pool is empty': { tokens: 0, atOnce: 10, pauseMs: 1 },
  'every token has to wait': { faults: { userRateLimit: 30_000 }, atOnce: 8, pauseMs: 3_000 },
  'the queue is full': { faults: { latencyMs: 3_000 }, crowd: 210, atOnce: 80, pauseMs: 1 },
  'the platform flaps': { faults: { status: { value: 502, share: 0.6 } }, atOnce: 12, pauseMs: 2_000 },
  'the platform is down': { faults: { status: 503 }, atOnce: 8, pauseMs: 700 },
  'the platform hangs': { faults: { hang: { value: true, share: 0.7 } }, atOnce: 16, pauseMs: 1_000 },
  'the address is banned': { faults: { ban: 'html' }, atOnce: 8, pauseMs: 90_000 },
} satisfies Readonly<Record<string, State>>;

export type OptOutState = keyof typeof OPT_OUT_STATES;

const watch = async (test: TestApp, id: string): Promise<Look> => {
  const startMs = test.system.clock.monotonicMs();
  const verdict = verdictOf(await test.lookUp(id));
  return { verdict, tookMs: test.system.clock.monotonicMs() - startMs };
};

/** Opted-out and unknown ids in an order that nobody could guess from. */
const lookAtBoth = async (state: State): Promise<Looks> => {
  const { tokens = 3, faults = {}, crowd = 0, atOnce, pauseMs } = state;
  await using test = await startTestApp({ tokens, sandbox: { notFoundShare: 1 }, seed: 5 });
  const ids = distinctIds(2 * LOOKS, 1_000).sort(() => test.system.random.integer(2) - 0.5);
  const hidden = new Set(ids.slice(0, LOOKS));
  for (const id of hidden) await test.records.optOuts.add(test.records.vault.optOutDigest(id), '2026-11-15');
  await test.app.refresh();
  test.sandbox.faults.set(faults);
  const looks: Looks = { hidden: [], unknown: [] };
  const mixed = ids.toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
  for (let start = 0; start < mixed.length; start += atOnce) {
    const others = distinctIds(crowd, 100_000 + start * 1_000).map((id) => test.lookUp(id));
    const batch = mixed.slice(start, start + atOnce);
    const seen = await test.settle(Promise.all(batch.map((id) => watch(test, id))), 60_000);
    seen.forEach((look, n) => looks[hidden.has(batch[n] ?? '') ? 'hidden' : 'unknown'].push(look));
    await test.settle(Promise.all(others), 60_000);
    await test.pass(pauseMs, pauseMs / 8);
  }
  return looks;
};

/** How far apart two shares may be by chance (Hoeffding, for the difference of two means). */
const SHARE_TOLERANCE = Math.sqrt(Math.log(2 / ERROR_CHANCE) / LOOKS);
/** The same for two distributions as a whole (Kolmogorov and Smirnov). */
const DISTRIBUTION_TOLERANCE = Math.sqrt(-Math.log(ERROR_CHANCE / 2) / LOOKS);

/** Nothing that a visitor can see or measure tells somebody who opted out from an id that nobody has. */
export const compareOptOuts = async (name: OptOutState): Promise<FuzzResult> => {
  const { hidden, unknown } = await lookAtBoth(OPT_OUT_STATES[name]);
  const all = [...hidden, ...unknown];
  const tally = createTally();
  tally.check(hidden.length === LOOKS && unknown.length === LOOKS, () => `${all.length} looks`);
  const compare = (what: string, is: (look: Look) => boolean, tolerance: number): void => {
    const apart = (hidden.filter(is).length - unknown.filter(is).length) / LOOKS;
    tally.check(Math.abs(apart) < tolerance, () => `${what}: ${apart} apart`);
  };
  for (const verdict of new Set(all.map((look) => look.verdict)))
    compare(verdict, (look) => look.verdict === verdict, SHARE_TOLERANCE);
  for (const { tookMs } of all)
    compare(`within ${tookMs} ms`, (look) => look.tookMs <= tookMs, DISTRIBUTION_TOLERANCE);
  return tally.result();
};
