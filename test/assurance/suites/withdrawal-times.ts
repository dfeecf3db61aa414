import { createSandbox } from '#sandbox/sandbox.ts';
import { createTally, type FuzzResult } from '#test/fuzz/tally.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { createDonorOverHttp, ROOMY_FOR_DONORS } from '#test/support/donor-over-http.ts';

/** Around one half, chance alone stays within this: more than four times its standard deviation at 300 of each kind. */
const TOLERANCE = 0.1;

/** How often one of `a` is above one of `b`: one half if nothing tells them apart. */
const shareAbove = (a: readonly number[], b: readonly number[]): number =>
  a.flatMap((one) => b.map((other) => Number(one > other))).reduce((sum, above) => sum + above, 0) /
  (a.length * b.length);

const median = (values: readonly number[]): string =>
  (values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0).toFixed(2);

/** Nobody can tell by the clock whether a token was in the pool. */
export const timeWithdrawals = async (each: number): Promise<FuzzResult> => {
  const sandbox = createSandbox();
  const { apiUrl, cdnUrl } = await sandbox.listen();
  const urls = { DISCORD_API_URL: apiUrl, DISCORD_CDN_URL: cdnUrl };
  await using server = startAppProcess({ ...ROOMY_FOR_DONORS, ...urls });
  const post = createDonorOverHttp(await server.origin);
  const tally = createTally();
  for (let n = 0; n < each; n += 1) {
    const { status } = await post('/donate-token', { token: sandbox.mintToken(n) });
    tally.check(status === 201, () => `donation ${n}: ${status}`);
  }
  const times: readonly [there: number[], absent: number[]] = [[], []];
  for (let n = 0; n < each; n += 1) {
    // Taking turns at being first, so that whatever drifts falls on both.
    for (const kind of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { status, ms } = await post('/withdraw-token', { token: sandbox.mintToken(n + kind * each) });
      tally.check(status === 200, () => `withdrawal ${n}: ${status}`);
      times[kind].push(ms);
    }
  }
  await sandbox.close();
  const [there, absent] = times;
  const share = shareAbove(there, absent);
  const found = `medians ${median(there)} and ${median(absent)} ms, the first longer in ${Math.round(share * 100)} %`;
  tally.check(Math.abs(share - 0.5) <= TOLERANCE, () => found);
  return { note: found, ...tally.result() };
};
