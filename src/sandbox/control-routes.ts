import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';
import type { BotTokens } from './api/bot-tokens.ts';
import type { TrafficStats } from './api/traffic-stats.ts';
import type { Faults } from './faults/faults.ts';
import type { SampleProfile } from './profiles/sample-profiles.ts';

/** What can be steered from outside, in process or over `/_sandbox/`. */
export type SandboxControls = {
  readonly mintToken: BotTokens['mint'];
  readonly resetToken: BotTokens['reset'];
  readonly revoke: BotTokens['revoke'];
  readonly revokeAll: BotTokens['revokeAll'];
  /** In how many servers /applications/@me says the bot is; none unless said. */
  readonly setGuildCount: (token: string, count: number) => void;
  /** Points an invite at another server; null makes it unknown. */
  readonly setInviteGuild: (code: string, guildId: string | null) => void;
  readonly liftBans: () => void;
  readonly faults: Faults;
  readonly stats: () => TrafficStats;
  readonly sampleProfiles: readonly SampleProfile[];
};

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
  if (typeof value !== 'string') throw new TypeError(`"${key}" must be a string.`);
  return value;
};

const count = (body: Body, key: string, fallback?: number): number => {
  const value = body[key] ?? fallback;
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw new TypeError(`"${key}" must be a whole number.`);
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
    if (length > MAX_BODY_BYTES) throw new TypeError('The body is too large.');
    chunks.push(chunk);
  }
  if (length === 0) return {};
  // A web page cannot send this type across origins unasked, so it cannot steer the sandbox.
  if (request.headers['content-type'] !== 'application/json') throw new TypeError('Send application/json.');
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new TypeError('Send a JSON object.');
  return body as Body;
};

/** `/_sandbox/…`: the same controls as in process, for those who run the sandbox as a process of its own. */
export const createControlRoutes = (sandbox: SandboxControls) => {
  const handlers = handlersFor(sandbox);
  return async (request: IncomingMessage, path: string): Promise<Answer> => {
    const handler = handlers[`${request.method} ${path}`];
    if (handler === undefined) return json(404, { error: 'There is no such control.' });
    try {
      return json(200, handler(await readBody(request)) ?? {});
    } catch (error) {
      return json(400, { error: error instanceof Error ? error.message : 'Bad request.' });
    }
  };
};
