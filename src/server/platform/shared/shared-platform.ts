import { AppError } from '#server/app-error.ts';
import type { RawScript as Script } from '#server/storage/redis/script.ts';
import type { Reply } from '#server/storage/redis/redis-connection.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Question } from '../questions.ts';
import { createEgressGate, EGRESS_LATE_MS, egressIntervalMs } from '../egress-gate.ts';
import { INVALID_REQUEST_LIMIT } from '../invalid-request-governor.ts';
import { createPasses, waitForPass, type Pass, type SettlePass } from '../pass.ts';
import type { Platform, PlatformDeps } from '../platform.ts';
import { createEpoch, type Epoch } from './epoch.ts';
import { createFlightReports } from './flight-reports.ts';
import { PASS, STANDING } from './gate-scripts.ts';

/** A script that begins with the gate's, and what it needs beyond that. */
export type Knock = {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
};

export type Admission<Q extends Question> = {
  readonly pass: Pass<Q>;
  readonly session: Session;
  readonly epoch: string;
  /** By the engine's clock, at the moment of the grant. */
  readonly grantedMs: number;
  /** What the script has added. */
  readonly words: readonly Reply[];
};

/** `atMs` is on our own clock. Infinity means: once an answer that is under way is in. */
export type Refusal = { readonly why: string; readonly atMs: number };

/** The door of a node: what holds for the address holds for all nodes together. */
export type SharedPlatform = Platform & {
  readonly knock: <Q extends Question>(
    question: Q,
    knock?: Knock,
  ) => Promise<{ readonly granted: Admission<Q> } | { readonly refused: Refusal }>;
  readonly epoch: Epoch;
  /** Looks how we stand, and whether the store has forgotten us; once a second is often enough. */
  readonly look: (session: Session) => Promise<void>;
};

export type SharedPlatformDeps = PlatformDeps & {
  readonly store: Pick<SharedStore, 'key' | 'onSession' | 'session'>;
  readonly invalidRequestLimit?: number;
};

/** A grant that is older than this is not used: what the store knows of it will soon not hold any more. */
const GRANT_MS = 2_000;
const AGAIN_MS = 50;
/** From the grant to the platform it is further than in one process: a busy node and the store are on the way. */
const JITTER_MS = 80;
/** Refusals that hold for the question, whatever it is for. */
const GATE_REASONS: ReadonlySet<string> = new Set(['rest', 'ban', 'pace', 'invalid', 'epoch']);
const PAUSES: ReadonlySet<string> = new Set(['ban', 'invalid']);
const OPEN: Refusal = { why: 'nothing', atMs: -Infinity };

export const createSharedPlatform = (deps: SharedPlatformDeps): SharedPlatform => {
  const { clock, random, client, governor, perSecond, onAnswer, store } = deps;
  const { invalidRequestLimit = INVALID_REQUEST_LIMIT } = deps;
  // Breakers and the node's own count stay here; the pace is everybody's.
  const gate = createEgressGate({ random, governor, perSecond: Infinity });
  const epoch = createEpoch({ random, store, invalidCells: governor.cells });
  const createPass = createPasses({ clock, client, onAnswer });
  const keys = [store.key('{t}gate'), store.key('{t}flights'), store.key('{t}invalid')] as const;
  const tellStore = createFlightReports({ random, store, keys });
  const intervalMs = egressIntervalMs(perSecond, JITTER_MS);
  const node = random.bytes(8).toString('hex');
  const refusals = new Map<Question, Refusal>();
  let flights = 0;
  let standing = { invalid: 0, bannedUntilMs: -Infinity };

  const refusalOf = (question: Question): Refusal => refusals.get(question) ?? OPEN;

  const refuse = (question: Question, why: string, atMs: number): { readonly refused: Refusal } => {
    const refused = { why, atMs };
    if (GATE_REASONS.has(why)) refusals.set(question, refused);
    return { refused };
  };

  const knock: SharedPlatform['knock'] = async (question, what = { script: PASS, keys: [], args: [] }) => {
    const askedMs = clock.monotonicMs();
    const freeAtMs = gate.freeAtMs(question, askedMs);
    if (freeAtMs > askedMs) return { refused: { why: 'local', atMs: freeAtMs } };
    if (refusalOf(question).atMs > askedMs) return { refused: refusalOf(question) };
    const session = store.session();
    const known = epoch.current();
    const flight = `${node}:${(flights += 1)}`;
    const terms = [known, question, intervalMs, EGRESS_LATE_MS, invalidRequestLimit, flight];
    const reply = await session.call(what.script, [...keys, ...what.keys], [...terms, ...what.args]);
    const [word, redisMs, third, ...rest] = reply as readonly string[];
    if (word === 'ungreeted') {
      await epoch.rejoin(session);
      return refuse(question, 'epoch', clock.monotonicMs() + AGAIN_MS);
    }
    const grantedMs = Number(redisMs);
    if (word === 'refused') {
      const waitMs = rest[0] === 'never' ? Infinity : Number(rest[0]) - grantedMs;
      return refuse(question, third ?? '', clock.monotonicMs() + waitMs);
    }
    if (word !== 'granted') throw new AppError('store-unavailable', { retryAfterMs: GRANT_MS });
    gate.sent(question, askedMs);
    const reported = { question, name: flight, isProbe: Number(third) === 1 };
    const settled: SettlePass = (_question, answer, nowMs) => {
      gate.settled(question, answer, nowMs);
      tellStore(reported, answer);
    };
    const pass = createPass(question, settled, askedMs + GRANT_MS);
    return { granted: { pass, session, epoch: known, grantedMs, words: rest } };
  };

  const freeAtMs = (question: Question, nowMs: number): number =>
    Math.max(gate.freeAtMs(question, nowMs), refusalOf(question).atMs);

  return {
    knock,
    epoch,
    pass: <Q extends Question>(question: Q, patienceMs = 0) =>
      waitForPass<Pass<Q>>(clock, patienceMs, {
        attempt: async () => {
          const answer = await knock(question);
          return 'granted' in answer ? answer.granted.pass : null;
        },
        freeAtMs: (nowMs) => freeAtMs(question, nowMs),
      }),
    freeAtMs,
    isPaused: (nowMs) => {
      const { why, atMs } = refusalOf('getUser');
      return gate.isPaused(nowMs) || standing.bannedUntilMs > nowMs || (PAUSES.has(why) && atMs > nowMs);
    },
    look: async (session) => {
      const reply = await session.call(STANDING, [keys[0], keys[2]], []);
      const [known, ...figures] = reply as readonly [string, ...string[]];
      const [nowMs = 0, invalid = 0, bannedUntil = 0] = figures.map(Number);
      standing = { invalid, bannedUntilMs: clock.monotonicMs() + bannedUntil - nowMs };
      if (known !== epoch.current()) await epoch.rejoin(session);
    },
    inFlight: gate.inFlight,
    invalidRequests: () => Math.max(governor.count(), standing.invalid),
    close: client.close,
  };
};
