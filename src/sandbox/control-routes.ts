import type { IncomingMessage } from 'node:http';
import { parseJson } from '#shared/parse-json.ts';
import type { Answer } from './answer.ts';
import type { BotTokens } from './api/bot-tokens.ts';
import type { InvalidRequests } from './api/invalid-requests.ts';
import type { Invites } from './api/invites.ts';
import type { Traffic } from './api/traffic-stats.ts';
import type { Faults } from './faults/faults.ts';
import { SAMPLE_PROFILES } from './profiles/sample-profiles.ts';
import { UsageError } from './usage-error.ts';

export type SandboxControls = ReturnType<typeof createControls>;

export type ControlDeps = {
  readonly tokens: BotTokens;
  readonly guildCounts: Map<string, number>;
  readonly invites: Invites;
  readonly invalidRequests: InvalidRequests;
  readonly faults: Faults;
  readonly traffic: Traffic;
};

/** What can be steered from outside, in process or over `/_sandbox/`. */
export const createControls = (deps: ControlDeps) => ({
  mintToken: deps.tokens.mint,
  resetToken: deps.tokens.reset,
  revoke: deps.tokens.revoke,
  revokeAll: deps.tokens.revokeAll,
  /** In how many servers /applications/@me says the bot is; none by default. */
  setGuildCount: (token: string, guilds: number): void => {
    const botId = deps.tokens.botIdOf(token);
    if (botId !== undefined) deps.guildCounts.set(botId, guilds);
  },
  setInviteGuild: deps.invites.setGuild,
  liftBans: deps.invalidRequests.liftBans,
  faults: deps.faults,
  stats: deps.traffic.stats,
  sampleProfiles: SAMPLE_PROFILES,
});

type Body = Readonly<Record<string, unknown>>;

const MAX_BODY_BYTES = 256 * 1024;
const MAX_TOKENS = 200_000;

const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});

const text = (body: Body, key: string): string => {
  const value = body[key];
  if (typeof value !== 'string') throw new UsageError(`"${key}" must be a string.`);
  return value;
};

const count = (body: Body, key: string, fallback?: number): number => {
  const value = body[key] ?? fallback;
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw new UsageError(`"${key}" must be a whole number.`);
  return Number(value);
};

const handlersFor = (sandbox: SandboxControls): Readonly<Record<string, (body: Body) => unknown>> => ({
  'GET faults': () => sandbox.faults.current(),
  'PUT faults': (body) => {
    const off = Object.keys(sandbox.faults.current()).map((name) => [name, false]);
    sandbox.faults.set({ ...Object.fromEntries(off), ...body });
    return sandbox.faults.current();
  },
  'DELETE faults': () => sandbox.faults.clear(),
  'GET stats': () => sandbox.stats(),
  'GET samples': () => sandbox.sampleProfiles,
  'POST tokens': (body) => {
    const length = Math.min(count(body, 'count', 1), MAX_TOKENS);
    const from = count(body, 'from', 0);
    return { tokens: Array.from({ length }, (_, index) => sandbox.mintToken(from + index)) };
  },
  'POST revoke': (body) => (body['all'] === true ? sandbox.revokeAll() : sandbox.revoke(text(body, 'token'))),
  'POST reset': (body) => ({ token: sandbox.resetToken(text(body, 'token')) }),
  'PUT guild-count': (body) => sandbox.setGuildCount(text(body, 'token'), count(body, 'count')),
  'PUT invite': (body) =>
    sandbox.setInviteGuild(text(body, 'code'), body['guild_id'] === null ? null : text(body, 'guild_id')),
  'DELETE bans': () => sandbox.liftBans(),
});

const readBody = async (request: IncomingMessage): Promise<Body> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new UsageError('The body is too large.');
    chunks.push(chunk);
  }
  if (length === 0) return {};
  // A page of another origin cannot send this type without permission, so it cannot steer the sandbox.
  if (request.headers['content-type'] !== 'application/json') throw new UsageError('Send application/json.');
  const body = parseJson(Buffer.concat(chunks).toString());
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new UsageError('Send a JSON object.');
  return body as Body;
};

/** `/_sandbox/…`: the same controls over HTTP, for a sandbox in a process of its own. */
export const createControlRoutes = (sandbox: SandboxControls) => {
  const handlers = handlersFor(sandbox);
  return async (request: IncomingMessage, path: string): Promise<Answer> => {
    const handler = handlers[`${request.method} ${path}`];
    if (handler === undefined) return json(404, { error: 'There is no such control.' });
    try {
      return json(200, handler(await readBody(request)) ?? {});
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return json(400, { error: error.message });
    }
  };
};
