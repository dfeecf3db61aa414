import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isRecord, parseJson } from '#shared/json.ts';
import type { Answer } from './answer.ts';
import type { BotTokens } from './api/bot-tokens.ts';
import type { InvalidRequests } from './api/invalid-requests.ts';
import type { Invites } from './api/invites.ts';
import type { Traffic } from './api/traffic-stats.ts';
import type { Faults } from './faults/faults.ts';
import { SAMPLE_PROFILES } from './profiles/sample-profiles.ts';
import { UsageError } from './usage-error.ts';

type ControlDeps = {
  readonly tokens: BotTokens;
  readonly invites: Invites;
  readonly invalidRequests: InvalidRequests;
  readonly faults: Faults;
  readonly traffic: Traffic;
};

type Body = Readonly<Record<string, unknown>>;

const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});

const string = (body: Body, key: string): string => {
  const value = body[key];
  if (typeof value !== 'string') throw new UsageError(`"${key}" must be a string.`);
  return value;
};

const count = (body: Body, key: string, fallback: number): number => {
  const value = body[key] ?? fallback;
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw new UsageError(`"${key}" must be a whole number.`);
  return Number(value);
};

type Handlers = Readonly<Record<string, (body: Body) => unknown>>;

const handlersFor = ({ tokens, invites, invalidRequests, faults, traffic }: ControlDeps): Handlers => ({
  'GET faults': () => faults.current(),
  'PUT faults': (body) => {
    const off = Object.keys(faults.current()).map((name) => [name, false]);
    faults.set({ ...Object.fromEntries(off), ...body });
    return faults.current();
  },
  'GET stats': () => traffic.stats(),
  'GET samples': () => SAMPLE_PROFILES,
  'POST tokens': (body) => {
    const [length, from] = [count(body, 'count', 1), count(body, 'from', 0)];
    return { tokens: Array.from({ length }, (_, index) => tokens.mint(from + index)) };
  },
  'POST revoke': (body) => (body['all'] === true ? tokens.revokeAll() : tokens.revoke(string(body, 'token'))),
  'POST reset': (body) => ({ token: tokens.reset(string(body, 'token')) }),
  'PUT guild-count': (body) => tokens.setGuildCount(string(body, 'token'), count(body, 'count', 0)),
  'PUT invite': (body) =>
    invites.setGuild(string(body, 'code'), body['guild_id'] === null ? null : string(body, 'guild_id')),
  'DELETE bans': () => invalidRequests.liftBans(),
});

const readBody = async (request: IncomingMessage): Promise<Body> => {
  const sent = await text(request);
  if (sent === '') return {};
  // A page of another origin cannot send this type without permission, so it cannot steer the sandbox.
  if (request.headers['content-type'] !== 'application/json') throw new UsageError('Send application/json.');
  const body = parseJson(sent);
  if (!isRecord(body)) throw new UsageError('Send a JSON object.');
  return body;
};

export const createControlRoutes = (deps: ControlDeps) => {
  const handlers = handlersFor(deps);
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
