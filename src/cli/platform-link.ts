import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#server/app-error.ts';
import type { Config } from '#server/config.ts';
import { createCheckToken } from '#server/donation/check-token.ts';
import { DATABASE_FILE, egressJournal } from '#server/open-records.ts';
import {
  connectPlatform,
  connectSharedPlatform,
  type ConnectPlatformDeps,
} from '#server/platform/connect-platform.ts';
import type { EgressJournal } from '#server/platform/egress-file.ts';
import { TOKEN_CHECK_LIMIT } from '#server/platform/invalid-requests.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Question } from '#server/platform/questions.ts';
import { createInBackground } from '#server/storage/redis/in-background.ts';
import { toRedisProblem } from '#server/storage/redis/redis-problem.ts';
import { createSharedStore } from '#server/storage/redis/shared-store.ts';
import { parseStoreAddress, type StoreAddress } from '#server/storage/redis/store-address.ts';
import { failed, type CommandContext, type PlatformLink } from './command.ts';

type LinkContext = Pick<CommandContext, 'config' | 'system' | 'openRecords'>;

/** For one command: most of what is allowed in ten minutes is left to the server. */
const MAX_FAILED_CHECKS = 20;

/** Without an address in the settings, the sandbox is the one that a running server starts. */
const apiUrlOf = ({ platform }: Config): string =>
  platform.urls?.apiUrl ?? `http://127.0.0.1:${platform.kind === 'sandbox' ? platform.port : ''}/api/v10`;

/** `doctor` also asks if there is no site yet; it must leave nothing behind. */
const journalOf = ({ config, system }: LinkContext): EgressJournal => {
  const journal = egressJournal(config, { system, isServer: false });
  const isSite = config.databaseUrl !== null || existsSync(join(config.dataDir, DATABASE_FILE));
  return isSite ? journal : { ...journal, write: () => {} };
};

/** The limits of every command, whether or not the server runs: those of the server. */
export const createPlatformLink = async (context: LinkContext): Promise<PlatformLink> => {
  const { config, system } = context;
  const { clock } = system;
  const apiUrl = apiUrlOf(config);
  const address = parseStoreAddress(config.sharedStateUrl?.reveal() ?? '');
  const deps: ConnectPlatformDeps = {
    system,
    apiUrl,
    publicUrl: config.publicUrl,
    perSecond: config.egressPerSecond,
    journal: journalOf(context),
    isCommand: true,
    onJournalFailed: () => {},
    onAnswer: () => {},
  };
  const platform = await (address === undefined
    ? connectPlatform(deps)
    : connectThroughStore(context, address, deps));

  const refuseWhilePaused = (question: Question): void => {
    const nowMs = clock.monotonicMs();
    const pause = platform.pause(nowMs, question);
    if (pause?.cause !== 'banned' && pause?.cause !== 'invalid-requests') return;
    const { cause, untilMs } = pause;
    const until =
      untilMs === Infinity ? '' : ` until ${new Date(clock.wallMs() + untilMs - nowMs).toISOString()}`;
    throw failed(`The platform is not asked anything${until}: ${PAUSES[cause]}`, 'try again after that.');
  };
  const api: Platform = {
    ...platform,
    requestPermit: async (question, patienceMs) => {
      const permit = await platform.requestPermit(question, patienceMs).catch(explainStore);
      if (permit === null) refuseWhilePaused(question);
      return permit;
    },
  };
  const checkToken = createCheckToken(clock, api);
  let failedChecks = 0;
  return {
    apiUrl,
    api,
    checkToken: async (token) => {
      if (failedChecks >= MAX_FAILED_CHECKS)
        throw failed(
          `The platform rejected ${MAX_FAILED_CHECKS} tokens, and it bans addresses that send too many bad ones`,
          'wait ten minutes, then do the rest.',
        );
      const verdict = await checkToken(token);
      if (verdict.kind === 'rejected') failedChecks += 1;
      if (verdict.kind !== 'unclear') return verdict;
      refuseWhilePaused('getOwnUser');
      if (api.invalidRequests() >= TOKEN_CHECK_LIMIT)
        throw failed(
          'Too many invalid requests were sent to the platform in the last ten minutes',
          'wait ten minutes, then try again.',
        );
      return verdict;
    },
  };
};

const PAUSES = {
  banned: 'it is blocking our address',
  'invalid-requests': 'too many requests were invalid, and more could get us banned',
} as const;

const throwDefect = (error: unknown): never => {
  throw error;
};

/** The command acts as one more node: what any of them learns from the platform holds for all. */
const connectThroughStore = async (
  { config, system, openRecords }: LinkContext,
  address: StoreAddress,
  deps: ConnectPlatformDeps,
): Promise<Platform> => {
  const store = createSharedStore({
    clock: system.clock,
    address,
    site: { id: (await openRecords()).vault.siteId(), url: config.publicUrl },
    events: {
      sharedStoreCalled: () => {},
      sharedStoreLost: () => {},
      sharedStoreFound: () => {},
      sharedStoreFailed: throwDefect,
    },
  });
  const settled: Promise<unknown>[] = [];
  const inBackground = createInBackground(throwDefect);
  const { platform } = connectSharedPlatform({
    ...deps,
    store,
    inBackground: (task) => {
      const done = task();
      settled.push(done);
      inBackground(() => done);
    },
  });
  await store.start();
  return {
    ...platform,
    close: async () => {
      await Promise.allSettled(settled);
      store.close();
      await platform.close();
    },
  };
};

const explainStore = (error: unknown): never => {
  throw error instanceof AppError && error.code === 'store-unavailable' ? toRedisProblem(error.cause) : error;
};
