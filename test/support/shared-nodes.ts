import { onTestFinished } from 'vitest';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFakeSystem } from './fake-system.ts';
import { passWithStores } from './fake-time-store.ts';
import { redisUrl } from './run-servers.ts';
import { startSharedNode, type SharedNode } from './shared-node.ts';

export type Answer = PlatformAnswer<DiscordUser>;

export const ID = '1' as Snowflake;
export const NOBODY: Answer = { kind: 'not-found', reading: null };

/** Nodes on one Redis, in one simulated time, with one platform, for the length of a test. */
export const startNodes = async (count: number, options: { invalidRequestLimit?: number } = {}) => {
  const things = new AsyncDisposableStack();
  onTestFinished(() => things.disposeAsync());
  const url = await redisUrl();
  const system = createFakeSystem();
  const used: string[] = [];
  const asked: string[] = [];
  const say = {
    ofUser: async (_token: BotToken): Promise<Answer> => NOBODY,
    ofItself: async ({ botId }: BotToken): Promise<Answer> => ({
      kind: 'found',
      value: { id: botId as Snowflake, bot: true } as DiscordUser,
      reading: null,
    }),
  };
  const records = { read: async (): Promise<void> => {} };
  const client = {
    getUser: async (_id: Snowflake, token: BotToken) => {
      used.push(token.botId);
      return say.ofUser(token);
    },
    getOwnUser: async (token: BotToken) => {
      asked.push(token.botId);
      return say.ofItself(token);
    },
  };
  const nodes: SharedNode[] = [];
  const confirm = () => records.read();
  for (let n = 0; n < count; n += 1)
    nodes.push(things.use(await startSharedNode({ system, url, client, confirm, ...options })));
  const pass = (ms: number) =>
    passWithStores(
      system,
      nodes.map(({ store }) => store),
      { ms, stepMs: Math.max(5, ms / 100) },
    );
  await pass(1_050);
  const [one, other] = nodes as [SharedNode, SharedNode];
  return { url, system, say, records, used, asked, one, other, nodes, pass };
};

/** Everything of this site, as after `FLUSHALL`. */
export const emptyStore = async ({ store }: SharedNode): Promise<void> => {
  const script = "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end";
  await store.session().send('EVAL', script, '0', store.key('*'));
};

export const lookUp = async ({ pool }: SharedNode): Promise<Answer> =>
  (await pool.lease()).getUser(ID, 1_000);
/** What a refused lookup is told. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error as { code: string }).code,
  );
