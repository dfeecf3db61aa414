import { readStoredTokens } from '#test/fuzz/stored-tokens.ts';
import { createTally, type FuzzResult, type Tally } from '#test/fuzz/tally.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { startWorld, type World } from '../world.ts';
import { trace } from './strace.ts';

const ROUNDS = 10;
const FIRST_DONATED = 1_000;
const CALLS = 'fsync,fdatasync';

/** From now on, and until it is disposed of, nothing that the process syncs to disk gets there. */
const breakDisk = (pid: number): Promise<AsyncDisposable> =>
  trace(pid, ['-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:error=EIO`]);

const donateThroughFault = async (tally: Tally, world: World, n: number): Promise<void> => {
  const [given, offered] = await world.sandbox.mintTokens(2, FIRST_DONATED + 2 * n);
  const [discord_id = ''] = distinctIds(1, n);
  const expect = async (expected: readonly number[], path: string, body: object): Promise<void> => {
    const { status, code } = await world.visitors.next().ask(path, body);
    tally.check(expected.includes(status), () => `${path} answered ${status} ${code}`);
  };
  await expect([201], '/donate-token', { token: given });
  {
    await using _fault = await breakDisk(world.server.pid);
    await expect([503], '/donate-token', { token: offered });
    await expect([503], '/withdraw-token', { token: given });
    await expect([200, 404], '/lookup', { discord_id });
  }
  await expect([201], '/donate-token', { token: offered });
  await expect([200], '/withdraw-token', { token: given });
};

export const donateWhileDiskFails = async (): Promise<FuzzResult> => {
  await using world = await startWorld({ tokens: 1 });
  const tally = createTally();
  for (let n = 0; n < ROUNDS; n += 1) await donateThroughFault(tally, world, n);
  world.server.signal('SIGKILL');
  await world.server.ended;
  const { kept, unreadable } = await readStoredTokens(world.dataDir);
  tally.check(kept.size === ROUNDS && unreadable === 0, () => `${kept.size} kept, ${unreadable} unreadable`);
  return tally.result();
};
