import { createTally, type FuzzResult } from '#test/fuzz/tally.ts';
import { startWorld } from '../world.ts';
import { trace } from './strace.ts';

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
  await using world = await startWorld({ tokens: 0 });
  const tokens = await world.sandbox.mintTokens(DONATIONS, 0);
  const tally = createTally();
  const watched = await trace(world.server.pid, [
    '-y',
    '--string-limit=40',
    '--trace=pwrite64,write,writev,fdatasync,fsync',
  ]);
  for (const [n, token] of tokens.entries()) {
    const ask = async (path: string): Promise<number> =>
      (await world.visitors.next().ask(path, { token })).status;
    tally.check((await ask('/donate-token')) === 201, () => `donation ${n} failed`);
    tally.check((await ask('/withdraw-token')) === 200, () => `withdrawal ${n} failed`);
  }
  await watched[Symbol.asyncDispose]();
  const { syncs, tooEarly } = readOrder(watched.output());
  // A donation syncs the log, a withdrawal the list and the log.
  tally.check(syncs >= 3 * DONATIONS, () => `only ${syncs} syncs were seen`);
  tally.check(tooEarly.length === 0, () => `answered before ${tooEarly[0]} was on disk`);
  return { note: `${syncs} syncs`, ...tally.result() };
};
