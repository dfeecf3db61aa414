import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { readStoredTokens } from '#test/fuzz/stored-tokens.ts';
import { createTally, type FuzzResult, type Tally } from '#test/fuzz/tally.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { createDonorOverHttp, ROOMY_FOR_DONORS, type DonorOverHttp } from '#test/support/donor-over-http.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { hasStrace, trace } from '../strace.ts';

const ROUNDS = 10;
const CALLS = 'fsync,fdatasync';

/** From now on, and until it is disposed of, nothing that the process syncs to disk gets there. */
const breakDisk = (pid: number): Promise<AsyncDisposable> =>
  trace(pid, ['-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:error=EIO`]);

type Round = {
  readonly pid: number;
  readonly post: DonorOverHttp;
  readonly sandbox: Sandbox;
  readonly n: number;
};

const donateThroughFault = async (tally: Tally, { pid, post, sandbox, n }: Round): Promise<void> => {
  const [given, offered] = [sandbox.mintToken(2 * n), sandbox.mintToken(2 * n + 1)];
  const [discord_id = ''] = distinctIds(1, n);
  const expect = async (status: number, path: string, body: Record<string, unknown>): Promise<void> => {
    const answer = await post(path, body);
    tally.check(answer.status === status, () => `${path} answered ${answer.status} ${answer.text}`);
  };
  await expect(201, '/donate-token', { token: given });
  {
    await using _fault = await breakDisk(pid);
    await expect(503, '/donate-token', { token: offered });
    await expect(503, '/withdraw-token', { token: given });
    await expect(200, '/lookup', { discord_id });
  }
  await expect(201, '/donate-token', { token: offered });
  await expect(200, '/withdraw-token', { token: given });
};

export const donateWhileDiskFails = async (): Promise<FuzzResult> => {
  if (!hasStrace()) return { count: 0, broken: 0, note: 'left out: needs strace' };
  using folder = temporaryFolder();
  const sandbox = createSandbox({ notFoundShare: 0 });
  const { apiUrl, cdnUrl } = await sandbox.listen();
  const urls = { DISCORD_API_URL: apiUrl, DISCORD_CDN_URL: cdnUrl };
  await using server = startAppProcess({ ...ROOMY_FOR_DONORS, ...urls, DATA_DIR: folder.path });
  const post = createDonorOverHttp(await server.origin);
  const tally = createTally();
  // So that lookups have a token whatever happens to the others.
  await post('/donate-token', { token: sandbox.mintToken(1_000) });
  for (let n = 0; n < ROUNDS; n += 1) await donateThroughFault(tally, { pid: server.pid, post, sandbox, n });
  server.signal('SIGKILL');
  await server.ended;
  await sandbox.close();
  const { kept, unreadable } = await readStoredTokens(folder.path);
  tally.check(
    kept.size === ROUNDS + 1 && unreadable === 0,
    () => `${kept.size} kept, ${unreadable} unreadable`,
  );
  return tally.result();
};
