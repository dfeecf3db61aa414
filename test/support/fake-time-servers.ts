import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createTestPool } from './fake-platform.ts';
import { createFakeSystem } from './fake-system.ts';
import { createFakeTimeSession, passWithPools } from './fake-time-state.ts';
import { botToken } from './pool-kinds.ts';

export type Answer = PlatformAnswer<DiscordUser>;

const ID = '1' as Snowflake;
export const NOBODY: Answer = { kind: 'not-found', reading: null };

/** Servers on one PostgreSQL, in one simulated time, with one platform. All of them are given these tokens. */
export const startServers = async (url: string, count: number, ...tokens: readonly string[]) => {
  const system = createFakeSystem();
  const used: string[] = [];
  const say = {
    ofUser: async (_token: BotToken): Promise<Answer> => NOBODY,
    ofItself: async ({ botId }: BotToken): Promise<Answer> => ({
      kind: 'found',
      value: { id: botId as Snowflake, bot: true } as DiscordUser,
      reading: null,
    }),
  };
  const client = {
    getUser: async (_id: Snowflake, token: BotToken) => {
      used.push(token.botId);
      return say.ofUser(token);
    },
    getOwnUser: async (token: BotToken) => say.ofItself(token),
  };
  const start = async () => {
    const { session, pool: messages, storesAt, unreadable } = createFakeTimeSession(url, system);
    const { pool, platform } = createTestPool({ system, client, stores: storesAt(1e9) });
    await session.start();
    return {
      session,
      unreadable,
      messages,
      pool,
      platform,
      lookUp: async () => (await pool.lease()).getUser(ID, 1_000),
    };
  };
  const servers = [];
  for (let n = 0; n < count; n += 1) servers.push(await start());
  for (const { pool } of servers) for (const id of tokens) pool.add(botToken(id));
  const messages = servers.map((server) => server.messages);
  const pass = (ms: number, stepMs = Math.max(5, ms / 100)) =>
    passWithPools(system, messages, { ms, stepMs });
  const [one, other] = servers as [(typeof servers)[0], (typeof servers)[0]];
  return { system, say, used, servers, one, other, pass, messages, start };
};

/** What a refused lookup is told. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error as { code: string }).code,
  );
