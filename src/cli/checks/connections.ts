import type { Config } from '#server/config.ts';
import { TURN_MS } from '#server/deadlines.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { PlatformClock } from '#server/platform/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import { refuseOtherLayout } from '#server/platform/permit-store/epoch.ts';
import { inspectRedis } from '#server/storage/redis/inspect-redis.ts';
import { refuseOtherSite } from '#server/storage/redis/site-claim.ts';
import { parseStoreAddress } from '#server/storage/redis/store-address.ts';
import { failed, type CommandContext } from '../command.ts';
import { check, type Check } from './check.ts';
import { findServerProblem } from './server.ts';

const MAX_SKEW_MS = 30_000;

/** The platform, this machine's clock compared with the platform's, the shared store and the running server. */
export const checkConnections = async (context: CommandContext): Promise<Check[]> => {
  const { config, system } = context;
  const sharedStore = await checkSharedStore(context);
  const clockChecks: Check[] = [];
  const platform = await check('platform', async () => {
    if (sharedStore?.state === 'failed')
      throw failed('is not asked while the shared store cannot be used', 'see the shared store.');
    const { apiUrl, api } = await context.platform();
    const answer = await (await api.requestPermit('getGateway', TURN_MS))?.ask();
    const platformMs = answer?.kind === 'found' ? answer.value.wallMs : null;
    if (platformMs !== null)
      clockChecks.push(await check('clock', () => inspectClock(system.clock.wallMs() - platformMs)));
    return inspectPlatform(answer, apiUrl);
  });
  return [
    platform,
    ...clockChecks,
    ...(sharedStore === null ? [] : [sharedStore]),
    await check('server', () => inspectServer(config)),
  ];
};

/** The answer is undefined if the pace left us no turn. */
const inspectPlatform = (answer: PlatformAnswer<PlatformClock> | undefined, apiUrl: string): string => {
  if (answer?.kind === 'found') return `${apiUrl} answers`;
  if (answer === undefined) throw failed(`${apiUrl} could not be asked: the server is busy`, 'try again.');
  if (answer.kind !== 'failed')
    throw failed(`${apiUrl} is refusing requests from this machine`, 'wait ten minutes.');
  if (answer.reason === 'network' || answer.reason === 'timeout')
    throw failed(
      `${apiUrl} does not answer`,
      'check the network, and DISCORD_API_URL if it is set; the sandbox only runs while the server does.',
    );
  const finding =
    answer.reason === 'status' ? `answers with status ${answer.status}` : 'gives unusable answers';
  throw failed(`${apiUrl} ${finding}`, 'it may be down: wait, or check DISCORD_API_URL if it is set.');
};

const inspectClock = (aheadMs: number): string => {
  const seconds = Math.round(aheadMs / 1_000);
  const finding = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the platform's`;
  if (Math.abs(aheadMs) <= MAX_SKEW_MS) return finding;
  throw failed(finding, "set this machine's clock, ideally with NTP.");
};

/** Null if none is set: this is the only node. */
export const checkSharedStore = async (context: CommandContext): Promise<Check | null> => {
  const { config, system } = context;
  const address = parseStoreAddress(config.sharedStateUrl?.reveal() ?? '');
  if (address === undefined) return null;
  return check('shared store', async () => {
    const { isPersistent, version, tripMs, holder, layout } = await inspectRedis(system.clock, address);
    const siteId = await siteIdOf(context);
    if (siteId !== null) refuseOtherSite(holder, siteId);
    refuseOtherLayout(layout);
    const finding = `${address.host}:${address.port}, version ${version}, answers in ${tripMs.toFixed(1)} ms`;
    if (!isPersistent) return finding;
    return {
      state: 'warning',
      finding: `${finding}, and writes to disk what is not meant to be kept`,
      remedy: 'turn persistence off in Redis or Valkey: save "" and appendonly no.',
    };
  });
};

/** Null if the records cannot be opened, which another check reports. */
const siteIdOf = async ({ openRecords }: CommandContext): Promise<string | null> => {
  try {
    return (await openRecords()).vault.siteId();
  } catch (error) {
    if (error instanceof OperatorError) return null;
    throw error;
  }
};

const inspectServer = async (config: Config): Promise<string> => {
  const { problem } = await findServerProblem(config);
  if (problem === null) return 'is ready';
  throw failed(problem.finding, problem.remedy);
};
