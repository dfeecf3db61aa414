import { DiscordAPIError, REST, type RESTOptions } from '@discordjs/rest';
import type { DiscordClient } from '#server/platform/discord-client.ts';
import { createFetchUser } from '#server/lookup/fetch-user.ts';
import type { System } from '#server/system.ts';
import { parseBotToken } from '#server/platform/bot-token.ts';
import { createTokenPool } from '#server/pool/token-pool.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFakePlatform } from '#test/support/fake-platform.ts';

export type Run = {
  readonly tokens: readonly string[];
  readonly system: System;
  /** How each of the two reaches the platform. */
  readonly discordClient: Pick<DiscordClient, 'getUser' | 'close'>;
  readonly restOptions: Partial<RESTOptions>;
  /** Fires when the time is up. */
  readonly over: AbortSignal;
};

/** Asks for users as fast as the tokens allow; resolves to the number of answers that came in time. */
export type SaturatingClient = (run: Run) => Promise<number>;

/** More than the tokens can serve at any latency that is simulated or met on loopback. */
const CONCURRENT_LOOKUPS = 500;
/** Of each instance: one is under way, one waits behind it. */
const CONCURRENT_GETS = 2;
const FIRST_ID = 441_997_505_123_000_000n;
/** Nobody's patience ends before the run does. */
const FOREVER_MS = 3_600_000;

const createIds = (): (() => Snowflake) => {
  let next = FIRST_ID;
  return () => String(next++) as Snowflake;
};

/** Repeats `work` on so many lanes, and counts how often it succeeded, until the time is up. */
const countUntil = async (
  over: AbortSignal,
  lanes: number,
  work: (lane: number, signal: AbortSignal) => Promise<unknown>,
): Promise<number> => {
  // A signal for each piece of work: listeners on one for all would pile up.
  const underWay = Array.from({ length: lanes }, () => new AbortController());
  over.addEventListener('abort', () => {
    for (const controller of underWay) controller.abort();
  });
  let done = 0;
  const runLane = async (lane: number): Promise<void> => {
    while (!over.aborted) {
      const controller = new AbortController();
      underWay[lane] = controller;
      try {
        await work(lane, controller.signal);
        if (!over.aborted) done += 1;
      } catch (error) {
        if (!over.aborted) throw error;
      }
    }
  };
  await Promise.all(underWay.map((_, lane) => runLane(lane)));
  return done;
};

/** The product's own way from the lease to the report of its outcome. */
export const whoflakePool: SaturatingClient = async ({ tokens, system, discordClient, over }) => {
  const platform = createFakePlatform({ system, client: discordClient });
  const waiting = { maxWaiting: CONCURRENT_LOOKUPS, maxWaitMs: FOREVER_MS };
  const pool = createTokenPool({ clock: system.clock, platform, ...waiting });
  for (const text of tokens) {
    const parsed = parseBotToken(text);
    if (!parsed.ok) throw new Error('The sandbox gave a token that is none.');
    pool.add(parsed.token);
  }
  const fetchUser = createFetchUser({ system, pool, onLeaseEnded: () => {} });
  const nextId = createIds();
  return countUntil(over, CONCURRENT_LOOKUPS, (_lane, signal) => fetchUser(nextId(), signal));
};

/** The widely used client, as a bot uses it: it keeps one token's limits by the headers. */
export const discordJsRest: SaturatingClient = async ({ tokens, restOptions, over }) => {
  const options = {
    version: '10',
    globalRequestsPerSecond: 50,
    hashSweepInterval: 0,
    handlerSweepInterval: 0,
    ...restOptions,
  };
  const instances = tokens.map((token) => new REST(options).setToken(token));
  const nextId = createIds();
  return countUntil(over, instances.length * CONCURRENT_GETS, async (lane, signal) => {
    const instance = instances[lane % instances.length] as REST;
    await instance.get(`/users/${nextId()}`, { signal }).catch((error: unknown) => {
      // Nobody by that id: an answer like any other, and it cost a slot.
      if (!(error instanceof DiscordAPIError) || error.status !== 404) throw error;
    });
  });
};
