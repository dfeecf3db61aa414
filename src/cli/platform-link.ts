import type { Config } from '#server/config.ts';
import { createCheckToken } from '#server/donation/accept-token.ts';
import { explainPause } from '#server/notices/notices.ts';
import { connectPlatform, type Platform } from '#server/platform/platform.ts';
import { gateOf, INVALID_REQUEST_LIMIT, TOKEN_CHECK_LIMIT } from '#server/platform/standing.ts';
import type { Endpoint } from '#server/platform/wire/platform-answer.ts';
import type { CommandContext, PlatformLink } from './command.ts';
import { failed } from './failure.ts';
import { askReadiness, type Readiness } from './running-server.ts';

type LinkContext = Pick<CommandContext, 'config' | 'system' | 'openRecords'>;

/** A command that shares nothing with the server counts its own invalid answers: the platform bans at 10,000. */
const MAX_INVALID = 100;
/** A server that shares nothing with commands but their records does not know when they send. */
const BESIDE_SERVER_PER_SECOND = 1;

/** Without an address in the settings, the sandbox is the one that a running server has started. */
const apiUrlOf = ({ platform }: Config, server: Readiness | null): string => {
  const apiUrl = platform.urls?.apiUrl ?? server?.['api_url'];
  if (typeof apiUrl === 'string') return apiUrl;
  throw failed('The sandbox runs only while the server does', 'start the server, or set DISCORD_API_URL.');
};

const throwDefect = (error: unknown): never => {
  throw error;
};
const SILENT = { stateLost: () => {}, stateFound: () => {}, stateCalled: () => {}, layoutChanged: () => {} };

export const createPlatformLink = async ({
  config,
  system,
  openRecords,
}: LinkContext): Promise<PlatformLink> => {
  const { clock, random } = system;
  const server = await askReadiness(config.admin);
  const apiUrl = apiUrlOf(config, server);
  const isShared = config.databaseUrl !== null;
  const records = await openRecords();
  const state = records.openState({
    system,
    perSecond: Math.min(
      config.egressPerSecond,
      isShared || server === null ? Infinity : BESIDE_SERVER_PER_SECOND,
    ),
    events: { ...SILENT, requestFailed: throwDefect, recordUnreadable: () => {}, journalFailed: () => {} },
  });
  const platform = connectPlatform({
    clock,
    random,
    apiUrl,
    publicUrl: config.publicUrl,
    store: state.platform,
    onAnswer: () => {},
    onDefect: throwDefect,
    // With PostgreSQL the limit is that of the whole site.
    ...(!isShared && { invalidRequestLimit: MAX_INVALID }),
  });
  const close = async (): Promise<void> => {
    await platform.close();
    await state.close();
  };
  try {
    await state.start();
  } catch (error) {
    // It would go on asking PostgreSQL, and the command would not end.
    await close();
    throw error;
  }

  /** What the server has met, it has written down. */
  const serverPause = async (endpoint: Endpoint) => {
    const nowMs = clock.wallMs();
    const gate = gateOf(await records.readStanding(), endpoint, {
      nowMs,
      inFlight: 0,
      limit: endpoint === 'getOwnUser' ? TOKEN_CHECK_LIMIT : INVALID_REQUEST_LIMIT,
    });
    return isShared || gate.atMs <= nowMs ? null : { cause: gate.cause, waitMs: gate.atMs - nowMs };
  };
  const refuseWhilePaused = async (endpoint: Endpoint): Promise<void> => {
    const pause = platform.pause(endpoint) ?? (await serverPause(endpoint));
    if (pause?.cause !== 'banned' && pause?.cause !== 'invalid-requests') return;
    const { cause, waitMs } = pause;
    const until = waitMs === Infinity ? '' : ` until ${new Date(clock.wallMs() + waitMs).toISOString()}`;
    const [why] = explainPause(cause, { ...config, suspect: 0, tokensHeld: false, postgresProblem: null });
    throw failed(`The platform is not asked anything${until}: ${why}`, 'try again after that.');
  };
  const api: Platform = {
    ...platform,
    requestPermit: async (endpoint) => {
      await refuseWhilePaused(endpoint);
      return platform.requestPermit(endpoint);
    },
    close,
  };
  const checkToken = createCheckToken(clock, api);
  return {
    apiUrl,
    api,
    checkToken: async (token) => {
      await refuseWhilePaused('getOwnUser');
      return checkToken(token);
    },
  };
};
