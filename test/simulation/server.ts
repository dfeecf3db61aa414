import { isUnavailable } from '#server/app-error.ts';
import { createCheckToken } from '#server/donation/accept-token.ts';
import { createDonations } from '#server/donation/donations.ts';
import { openWithdrawnList } from '#server/donation/withdrawn-list.ts';
import { createLookup, createOptOuts } from '#server/lookup/lookup.ts';
import type { Events } from '#server/observability/events.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import { createPlatform } from '#server/platform/platform.ts';
import { createOptOutStore } from '#server/lookup/opt-outs.ts';
import { createPostgresPlatformStore } from '#server/platform/postgres-platform-store.ts';
import { createPostgresTokenStore } from '#server/tokens/postgres-token-store.ts';
import { createPostgresSession } from '#server/storage/postgres/session.ts';
import { refreshEach, watchChanges } from '#server/storage/change-watch.ts';
import { watched } from '#server/storage/postgres/postgres-database.ts';
import { isDefect } from '#server/storage/storage-fault.ts';
import type { Random } from '#server/system.ts';
import { createRetirements } from '#server/tokens/retirements.ts';
import { createOwnTokens, createTokenPool } from '#server/tokens/token-pool.ts';
import { createDonatedTokenStore } from '#server/vault/donated-tokens.ts';
import { createVaultKeyStore } from '#server/vault/open-vault.ts';
import type { Vault } from '#server/vault/vault.ts';
import { createAdmission } from '#server/visitors/admission.ts';
import { createVisitorLimits, type VisitorAction } from '#server/visitors/limits.ts';
import { createPostgresSpentProofs } from '#server/visitors/postgres-spent-proofs.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { tokenOf } from '#test/support/well-formed.ts';
import type { Ledger } from './ledger.ts';
import type { SimulatedPlatform } from './platform.ts';
import type { Postgres } from './postgres.ts';
import type { Host, Nature } from './schedule.ts';

export type Server = Awaited<ReturnType<typeof startServer>>;

type ServerDeps = Pick<Nature, 'tell'> & {
  readonly host: Host;
  readonly random: Random;
  readonly postgres: Postgres;
  readonly platform: SimulatedPlatform;
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly perSecond: number;
  readonly ownTokens: readonly BotToken[];
  /** Outlives the process. */
  readonly withdrawnFile: string;
};

const MANY = 1e6;
const RATES = { challengesPerMinute: MANY, lookupsPerMinute: MANY, lookupsPerDay: MANY };

/** As `createApp` puts the parts together, without sockets, pages and pictures. */
export const startServer = async (deps: ServerDeps) => {
  const { host, random, postgres, ledger, perSecond, tell } = deps;
  const { clock } = host;
  const system = { clock, random };
  const database = postgres.recordsFor(host);
  const vault = {
    ...deps.vault,
    refuseOtherKey: () => createVaultKeyStore(database).refuseOther(deps.vault.kid),
  };
  const onFailure = (error: unknown): void => {
    if (isDefect(error) && !isUnavailable(error)) ledger.breaks(`a defect: ${String(error)}`);
  };
  const heard: Readonly<Record<string, (what: unknown) => void>> = {
    requestFailed: onFailure,
    stateLost: (problem) => tell(host.name, String(problem)),
    stateFound: () => tell(host.name, 'PostgreSQL can be used'),
  };
  /** Nobody reads what else is counted and logged. */
  const events = new Proxy({} as Events, { get: (_, name: string) => heard[name] ?? (() => {}) });

  const watch = watchChanges({
    ...watched(database),
    clock,
    onReplaced: events.databaseReplaced,
    onRead: events.recordsRead,
    onFailure: events.refreshFailed,
  });
  const session = createPostgresSession({ clock, pool: postgres.messagesFor(host), events });
  const platform = createPlatform({
    clock,
    random,
    client: deps.platform.clientOf(host),
    store: createPostgresPlatformStore(session, perSecond),
    onAnswer: () => {},
    onDefect: events.requestFailed,
  });
  const pool = createTokenPool({
    clock,
    platform,
    store: createPostgresTokenStore(system, session, watch.isCurrent),
    idOf: ({ secret }) => vault.poolDigest(secret.reveal()),
    onSuspected: events.tokenSuspected as () => void,
    onRetired: () => ledger.breaks('a token was retired'),
    onFailure,
  });
  const ownTokens = createOwnTokens(pool, deps.ownTokens);
  const donatedTokens = createDonatedTokenStore(database);
  const withdrawn = await openWithdrawnList(deps.withdrawnFile, database, random);
  const donations = createDonations({
    vault,
    donatedTokens,
    retirements: createRetirements(database),
    withdrawn,
    system,
    pool,
    checkToken: createCheckToken(clock, platform),
    platformKind: 'sandbox',
    onDefect: events.requestFailed,
    restoreOwn: ownTokens.restore,
  });
  const optOuts = createOptOuts(createOptOutStore(database), vault.optOutDigest);
  const cdn = createCdnUrls('https://cdn.example');
  const lookup = createLookup({ system, pool, cdn, isOptedOut: optOuts.has, events });
  const shared = { session, home: 'home', proofPool: postgres.messagesFor(host) };
  const admission = createAdmission({
    system,
    proofs: createPostgresSpentProofs(system, shared),
    visitors: createVisitorLimits(system, RATES),
    maxNumber: 1,
    scarcity: pool.scarcity,
    events,
  });
  const refresh = refreshEach([
    optOuts.refresh,
    withdrawn.refresh,
    async () => {
      await vault.refuseOtherKey();
      await donations.refresh();
    },
  ]);
  await session.start();
  await watch.start(refresh);

  const redeem = async (proof: string, action: VisitorAction, address: string) => {
    const ticket = await admission.redeem(proof, action, address);
    ledger.accepted(proof);
    return ticket;
  };
  return {
    host,
    issueChallenge: admission.issueChallenge,
    lookUp: async (id: string, proof: string, address: string) => {
      const ticket = await redeem(proof, 'lookup', address);
      return lookup.lookUpProfile(id as Snowflake, ticket, () => new AbortController().signal);
    },
    donate: async (token: string, proof: string, address: string): Promise<string> => {
      await redeem(proof, 'donation-attempt', address);
      return donations.donate(tokenOf(token), () => admission.count('donation', address));
    },
    withdraw: async (text: string, proof: string, address: string): Promise<void> => {
      await redeem(proof, 'withdrawal', address);
      await donations.withdraw(text);
    },
  };
};
