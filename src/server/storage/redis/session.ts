import { AppError } from '#server/app-error.ts';
import { STORE_SILENCE_MS } from '#server/deadlines.ts';
import type { Clock } from '#server/system.ts';
import { connectRedis, type RedisConnection, type Reply } from './redis-connection.ts';
import type { RedisClock } from './redis-clock.ts';
import { CLOCK_ERROR, scriptWords, type Script, type ScriptInput } from './script.ts';
import type { StoreAddress } from './store-address.ts';

/**
 * One connection to one Redis process, from handshake to end. What was begun in a session never goes on in
 * another: the process there may be one that knows less.
 */
export type Session = {
  /** Of the Redis process. */
  readonly runId: string;
  readonly send: (...words: readonly string[]) => Promise<Reply>;
  readonly run: <Key extends string, Arg extends string, Result>(
    script: Script<Key, Arg, Result>,
    input: ScriptInput<Key, Arg>,
  ) => Promise<Result>;
};

export type SessionDeps = {
  readonly clock: Clock;
  readonly redisClock: Pick<RedisClock, 'nowMs'>;
  readonly connection: RedisConnection;
  /** For measuring: how long, and whether there was an answer. */
  readonly onCall: (tookMs: number, outcome: 'answered' | 'failed') => void;
};

/** Before the handshake, so it is not known with which process. */
export type OpenSession = Omit<Session, 'runId'> & {
  /** Rejects everything in flight and everything to come. */
  readonly end: (because: EndOfSession) => void;
  /** Aborted at the end; its reason is an `EndOfSession`. */
  readonly ended: AbortSignal;
};

export type EndOfSession = 'closed' | 'silent' | 'unusable' | 'leapt' | 'spoilt';

/** A Redis is silent after half a second without an answer, as long as we ourselves were awake to read it. */
const LOOK_MS = 100;
const LOOKS = 5;
const RETRY_MS = 5_000;
/** Errors that end a session. */
const ENDS: readonly (readonly [sign: RegExp, because: EndOfSession])[] = [
  // The process is no longer, or not yet, the one we need; or has forgotten our scripts.
  [/^(?:READONLY|LOADING|MASTERDOWN|NOSCRIPT)\b/, 'unusable'],
  [new RegExp(`^${CLOCK_ERROR}\\b`), 'leapt'],
  // Somebody else has written to a key of ours; the next handshake removes it.
  [/^WRONGTYPE\b/, 'spoilt'],
];
const OUT_OF_MEMORY = /^OOM\b/;

export const unavailable = (cause?: unknown): AppError =>
  new AppError('store-unavailable', { retryAfterMs: RETRY_MS, cause });

export const openSession = ({ clock, redisClock, connection, onCall }: SessionDeps): OpenSession => {
  const ending = new AbortController();
  const ended = ending.signal;
  const loaded = new Set<string>();
  /** Answers come in the order of the questions, so the first is always the oldest. */
  const waiting = new Set<{ readonly askedMs: number; looks: number }>();
  let isWatching = false;

  const end = (because: EndOfSession): void => {
    if (ended.aborted) return;
    ending.abort(because);
    connection.destroy();
  };

  const watchOldest = (): void => {
    const dueMs = clock.monotonicMs() + LOOK_MS;
    clock.after(LOOK_MS, () => {
      const [oldest] = waiting;
      isWatching = !ended.aborted && oldest !== undefined;
      if (!isWatching || oldest === undefined) return;
      const nowMs = clock.monotonicMs();
      // If this check is late, we were busy: the answer may have arrived and not been read yet.
      if (nowMs - dueMs < LOOK_MS / 2) oldest.looks += 1;
      if (oldest.looks > LOOKS || nowMs - oldest.askedMs > STORE_SILENCE_MS) end('silent');
      else watchOldest();
    });
  };

  const ask = async (words: readonly string[]): Promise<Reply> => {
    if (ended.aborted) throw unavailable();
    const question = { askedMs: clock.monotonicMs(), looks: 0 };
    waiting.add(question);
    if (!isWatching) watchOldest();
    isWatching = true;
    try {
      const reply = await connection.send(words);
      onCall(clock.monotonicMs() - question.askedMs, 'answered');
      return reply;
    } catch (error) {
      onCall(clock.monotonicMs() - question.askedMs, 'failed');
      const { message } = error as Error;
      const [, because] = ENDS.find(([sign]) => sign.test(message)) ?? [];
      if (because !== undefined) end(because);
      throw ended.aborted || OUT_OF_MEMORY.test(message) ? unavailable(error) : error;
    } finally {
      waiting.delete(question);
    }
  };

  /** Sent before its first call, on the same socket, so that it is there when it is needed. */
  const run: Session['run'] = async (script, input) => {
    const { lua, sha, read } = script;
    const loading = loaded.has(sha) ? null : ask(['SCRIPT', 'LOAD', lua]);
    loaded.add(sha);
    const words = ['EVALSHA', sha, ...scriptWords(script, input)];
    if (script.isTimed) words.push(redisClock.nowMs().toFixed(3));
    const [reply] = await Promise.all([ask(words), loading]);
    return read(reply);
  };

  return {
    send: (...words) => ask(words),
    run,
    end,
    ended,
  };
};

export type SessionAddress = Omit<SessionDeps, 'connection'> & { readonly address: StoreAddress };

export const connectSession = async ({
  clock,
  redisClock,
  address,
  onCall,
}: SessionAddress): Promise<OpenSession> => {
  let session: OpenSession | undefined;
  const connection = await connectRedis(clock, address, () => session?.end('closed'));
  session = openSession({ clock, redisClock, connection, onCall });
  return session;
};
