import type { Config } from '#server/config.ts';
import { TURN_MS } from '#server/deadlines.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { PlatformClock } from '#server/platform/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import { inspectRedis } from '#server/storage/redis/inspect-redis.ts';
import { refuseOtherSite } from '#server/storage/redis/site-claim.ts';
import { parseStoreAddress } from '#server/storage/redis/store-address.ts';
import { failed, type CommandContext } from '../command.ts';
import { adminUrl, askReadiness } from '../running-server.ts';
import { check, type Check } from './check.ts';

const MAX_SKEW_MS = 30_000;

/** The platform, this machine's clock compared with the platform's, the shared store and the running server. */
export const checkConnections = async (context: CommandContext): Promise<Check[]> => {
  const { config, system, platform } = context;
  const { apiUrl, api } = await platform();
  const answer = await (await api.requestPermit('getGateway', TURN_MS))?.ask();
  const platformMs = answer?.kind === 'found' ? answer.value.wallMs : null;
  const sharedStore = await checkSharedStore(context);
  return [
    await check('platform', () => lookAtPlatform(answer, apiUrl)),
    ...(platformMs === null
      ? []
      : [await check('clock', () => lookAtClock(system.clock.wallMs() - platformMs))]),
    ...(sharedStore === null ? [] : [sharedStore]),
    await check('server', () => lookAtServer(config)),
  ];
};

/** The answer is undefined if too many invalid requests keep us from asking. */
const lookAtPlatform = (answer: PlatformAnswer<PlatformClock> | undefined, apiUrl: string): string => {
  if (answer?.kind === 'found') return `${apiUrl} answers`;
  if (answer?.kind !== 'failed')
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

const lookAtClock = (aheadMs: number): string => {
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
    const { isPersistent, version, tripMs, holder } = await inspectRedis(system.clock, address);
    const siteId = await siteIdOf(context);
    if (siteId !== null) refuseOtherSite(holder, siteId);
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

/** What a server says is wrong with it, in the order of importance. */
const SERVER_PROBLEMS = [
  ['draining', 'is stopping', 'wait for it to stop, then start it again.'],
  [
    'database_replaced',
    'still has a database open that was moved, deleted or replaced',
    'put the file back, or restart the server to use what is there now.',
  ],
  [
    'server_replaced',
    'runs beside another server that does not know of it',
    'stop one of them, or set SHARED_STATE_URL for both.',
  ],
  ['keyring_problem', 'has the wrong keyring', 'put the right one back; the server goes on by itself.'],
  [
    'shared_store_problem',
    'cannot use the shared store',
    'see what this doctor says of it; the server goes on by itself.',
  ],
  [
    'overloaded',
    'is overloaded and turning visitors away',
    "wait for it to catch up; if it doesn't, give it more CPU.",
  ],
] as const;

const lookAtServer = async ({ admin, tokenDonations }: Config): Promise<string> => {
  const server = await askReadiness(admin);
  if (server === null)
    throw failed(`no answer at ${adminUrl(admin)}`, 'start it, or check ADMIN_HOST and ADMIN_PORT.');
  for (const [field, finding, remedy] of SERVER_PROBLEMS) {
    const said = server[field];
    if (typeof said === 'string') throw failed(`${finding} (${said})`, remedy);
    if (said === true) throw failed(finding, remedy);
  }
  if (!server.ready) throw failed('is not ready', 'wait for it to start.');
  const { healthy } = (server['pool'] ?? {}) as { healthy?: unknown };
  if (healthy !== 0) return 'is ready';
  const remedy = tokenDonations ? 'add a token with ops tokens add.' : 'set BOT_TOKENS, and start it again.';
  throw failed('has no working token', remedy);
};
