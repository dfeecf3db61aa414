import { createSandbox } from '#sandbox/sandbox.ts';
import { createTally, type FuzzResult } from '#test/fuzz/tally.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { createDonorOverHttp, ROOMY_FOR_DONORS } from '#test/support/donor-over-http.ts';
import { hasStrace, trace } from '../strace.ts';

const DONATIONS = 50;
const CALL = /(pwrite64|write|writev|fdatasync|fsync)\(\d+<([^>]*)>(.*)/;
/** What a donation or a withdrawal must be found in after a power cut. */
const KEPT_IN = /(whoflake\.sqlite-wal|withdrawn\.txt)$/;

type Order = { readonly syncs: number; readonly tooEarly: readonly string[] };

/** Which answers left the process while something that was written had not reached the disk. */
const readOrder = (output: string): Order => {
  const unsynced = new Set<string>();
  const tooEarly: string[] = [];
  let syncs = 0;
  for (const [, call = '', path = '', rest = ''] of output
    .split('\n')
    .flatMap((line) => [CALL.exec(line) ?? []])) {
    if (KEPT_IN.test(path)) {
      if (call.endsWith('sync')) {
        unsynced.delete(path);
        syncs += 1;
      } else unsynced.add(path);
    } else if (rest.includes('HTTP/1.1 2') && unsynced.size > 0) tooEarly.push([...unsynced].join(', '));
  }
  return { syncs, tooEarly };
};

export const checkDurableAnswers = async (): Promise<FuzzResult> => {
  if (!hasStrace()) return { count: 0, broken: 0, note: 'left out: needs strace' };
  const sandbox = createSandbox();
  const { apiUrl, cdnUrl } = await sandbox.listen();
  const urls = { DISCORD_API_URL: apiUrl, DISCORD_CDN_URL: cdnUrl };
  await using server = startAppProcess({ ...ROOMY_FOR_DONORS, ...urls });
  const post = createDonorOverHttp(await server.origin);
  const tally = createTally();
  const watched = await trace(server.pid, [
    '-y',
    '-s',
    '40',
    '-e',
    'trace=pwrite64,write,writev,fdatasync,fsync',
  ]);
  for (let n = 0; n < DONATIONS; n += 1) {
    const token = sandbox.mintToken(n);
    tally.check((await post('/donate-token', { token })).status === 201, () => `donation ${n} failed`);
    tally.check((await post('/withdraw-token', { token })).status === 200, () => `withdrawal ${n} failed`);
  }
  await watched[Symbol.asyncDispose]();
  await sandbox.close();
  const { syncs, tooEarly } = readOrder(watched.output());
  // A donation syncs the log, a withdrawal the list and the log.
  tally.check(syncs >= 3 * DONATIONS, () => `only ${syncs} syncs were seen`);
  tally.check(tooEarly.length === 0, () => `answered before ${tooEarly[0]} was on disk`);
  return { note: `${syncs} syncs`, ...tally.result() };
};
