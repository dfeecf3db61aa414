import { createAdmin } from './admin.ts';
import { createPublicServer } from './http/public-server.ts';
import type { WebBuild } from './http/site/web-build.ts';
import { registerNode } from './state/node-store.ts';
import { findConditions, RESTARTED } from './notices/conditions.ts';
import { createHousekeeping, type RunCommand } from './notices/housekeeping.ts';
import { createNotices, type NoticesDeps } from './notices/notices.ts';
import { createEvents } from './observability/events.ts';
import { machineName } from './open-records.ts';
import { watchChanges } from './storage/change-watch.ts';
import { createUseCases, type UseCases, type UseCasesDeps } from './use-cases.ts';

export type App = ReturnType<typeof createApp>;

type AppDeps = Omit<UseCasesDeps, 'events' | 'onTokenRetired' | 'isCurrent'> & {
  readonly web: WebBuild;
  readonly sendNotice?: NoticesDeps['send'] | undefined;
  readonly runCommand: RunCommand;
  readonly isAfterCrash?: boolean;
};

type NoticeParts = Pick<UseCases, 'status' | 'pool'> & {
  readonly name: string;
  readonly lostServers: ReturnType<typeof registerNode>['lost'];
};

const openNotices = (deps: AppDeps, { status, pool, name, lostServers }: NoticeParts) => {
  const { config, records, logger, sendNotice, runCommand } = deps;
  const { clock } = deps.system;
  const housekeeping = createHousekeeping({
    clock,
    logger,
    run: runCommand,
    backupDir: config.databaseUrl === null ? config.backupDir : null,
    lastBackup: records.lastBackup,
    freeBytes: records.freeBytes,
    lostServers,
  });
  const notices =
    sendNotice &&
    createNotices({
      clock,
      site: config.brandName,
      server: name,
      send: sendNotice,
      conditions: () => [...findConditions(status.read().paused, pool.counts()), ...housekeeping.findings()],
      onFailure: (reason) =>
        logger.warn({ event: 'notice-failed', reason }, 'NOTIFY_URL did not take a message'),
    });
  return { housekeeping, notices };
};

/** Whatever fails keeps nothing else from being applied: not an opt-out, nor a withdrawal. */
const refreshEach = (parts: readonly (() => Promise<unknown>)[]) => async (): Promise<void> => {
  const failures: unknown[] = [];
  for (const part of parts) await part().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
};

export const createApp = (deps: AppDeps) => {
  const { config, startedPlatform, system, logger, records, web } = deps;
  const { clock } = system;
  const { vault, withdrawn } = records;
  const name = machineName(config);
  const events = createEvents(logger);
  const onTokenRetired = (id: string): void => {
    events.tokenRetired(id);
    notices?.tell('token-retired', `Discord has refused the token ${id} for three days: it was retired.`);
  };
  const useCases = createUseCases({
    config,
    startedPlatform,
    system,
    logger,
    records,
    events,
    onTokenRetired,
    onLayoutChanged: deps.onLayoutChanged,
    isCurrent: () => watch.isCurrent(),
  });
  const { state, platform, pool, status, donations, lookup, vanity } = useCases;
  const { admission, pictures, optOuts } = useCases;
  const publicServer = createPublicServer({
    config,
    logger,
    platformUrls: startedPlatform.urls,
    clock,
    admission,
    lookUpProfile: lookup.lookUpProfile,
    pictures,
    events,
    donations,
    readStatus: status.read,
    vanityLinks: vanity.links,
    web,
  });
  const { database } = records;
  const node = registerNode(system, database, name, events.refreshFailed);
  const refresh = refreshEach([
    ...[optOuts, vanity.links, status, withdrawn].map((part) => part.refresh),
    async () => events.tokensHeld(await withdrawn.isHeld()),
    async () => {
      await vault.refuseOtherKey();
      if (config.tokenDonations) events.tokensRefreshed(await donations.refresh());
    },
  ]);
  const watch = watchChanges({
    clock,
    readVersion: records.readVersion,
    isSameDatabase: records.isSameDatabase,
    onReplaced: events.databaseReplaced,
    onChange: refresh,
    onRead: events.recordsRead,
    onFailure: events.refreshFailed,
  });
  const { failure: refreshFailure } = watch;
  const admin = createAdmin({ config, records, clock, events, useCases, publicServer, refreshFailure });

  const { housekeeping, notices } = openNotices(deps, { status, pool, name, lostServers: node.lost });

  return {
    server: publicServer.server,
    admin,
    pool,
    start: async (): Promise<void> => {
      // No visitor is let in before PostgreSQL can be used.
      await state.start();
      await node.join();
      await watch.start();
      await status.start();
      housekeeping.start();
      notices?.start();
      if (deps.isAfterCrash === true) notices?.tell('restarted', RESTARTED);
    },
    refresh,
    close: async (): Promise<void> => {
      for (const part of [watch, vanity, housekeeping, notices]) void part?.stop();
      await publicServer.close();
      pictures.close();
      await platform.close();
      await status.stop();
      await node.leave();
      await state.close();
      admin.close();
      admin.closeAllConnections();
    },
  };
};
