import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './answer.ts';
import { createApi, type ApiRequest } from './api-routes.ts';
import { createBotTokens } from './bot-tokens.ts';
import { createCdn } from './cdn-routes.ts';
import { createControlRoutes } from './control-routes.ts';
import { deliver, realPause, type Pause } from './deliver.ts';
import { createFaults, type Faults } from './faults.ts';
import { createFrontEnd } from './front-end.ts';
import { createInvalidRequests } from './invalid-requests.ts';
import { createInvites } from './invites.ts';
import { methodNotAllowed, type BanForm } from './platform-errors.ts';
import { createRateLimits, type LimitMode } from './rate-limits.ts';
import { SAMPLE_PROFILES, type SampleProfile } from './sample-profiles.ts';
import { drawsFrom } from './seeded-draws.ts';
import { createTraffic, type TrafficStats } from './traffic-stats.ts';
import { createUserDirectory } from './user-directory.ts';

export type SandboxOptions = {
  /** Slots of a bot's bucket for GET /users/{id}. */
  readonly limit?: number;
  readonly periodMs?: number;
  readonly mode?: LimitMode;
  /** Requests per second and bot over all routes. */
  readonly globalPerSecond?: number;
  /** Invalid requests in ten minutes that get an address banned for an hour. */
  readonly invalidLimit?: number;
  readonly banForm?: BanForm;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
  /** How faults wait; beside `now`, so that tests can hold time. */
  readonly pause?: Pause;
  /** Decides every generated profile, token and fault. */
  readonly seed?: string;
  /** Share of well-formed ids that belong to nobody; always the same ones. */
  readonly notFoundShare?: number;
  /** Share of requests hit by a random fault. */
  readonly chaos?: number;
};

/** What can be steered from outside, in process or over `/_sandbox/`. */
export type SandboxControls = {
  /** The n-th bot's current token; needs no registration and differs for every n. */
  readonly mintToken: (n: number) => string;
  /** A new token of the same bot; the older ones get 401. */
  readonly resetToken: (token: string) => string;
  readonly revoke: (token: string) => void;
  /** Every token made until now gets 401; those minted afterwards work, with the same bot ids. */
  readonly revokeAll: () => void;
  /** In how many servers /applications/@me says the bot is; none unless said. */
  readonly setGuildCount: (token: string, count: number) => void;
  /** Points an invite at another server; null makes it unknown. */
  readonly setInviteGuild: (code: string, guildId: string | null) => void;
  readonly liftBans: () => void;
  readonly faults: Faults;
  readonly stats: () => TrafficStats;
  readonly sampleProfiles: readonly SampleProfile[];
};

export type Sandbox = SandboxControls & {
  /** Port 0, the default, lets the system choose. */
  readonly listen: (address?: {
    host?: string;
    port?: number;
  }) => Promise<{ apiUrl: string; cdnUrl: string }>;
  /** Also breaks off what is under way. */
  readonly close: () => Promise<void>;
};

const DEFAULTS = {
  limit: 30,
  periodMs: 30_000,
  mode: 'sliding',
  globalPerSecond: 50,
  invalidLimit: 10_000,
  banForm: 'json',
  now: Date.now,
  pause: realPause,
  seed: 'whoflake',
  notFoundShare: 0.08,
  chaos: 0,
} as const satisfies Required<SandboxOptions>;

const API_PREFIX = '/api/';
const CONTROL_PREFIX = '/_sandbox/';
/** Longer than clients keep idle connections, so that none is closed under a request. */
const KEEP_ALIVE_MS = 75_000;

const splitUrl = (url: string): { path: string; query: string } => {
  const at = url.indexOf('?');
  return at === -1 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
};

const apiRequest = (request: IncomingMessage, path: string, query: string): ApiRequest => ({
  method: request.method ?? 'GET',
  path: path.slice(API_PREFIX.length),
  query,
  authorization: request.headers.authorization,
  userAgent: request.headers['user-agent'],
  clientIp: request.socket.remoteAddress ?? '',
});

export const createSandbox = (options: SandboxOptions = {}): Sandbox => {
  const settings = { ...DEFAULTS, ...options };
  const { now, pause, seed, notFoundShare } = settings;
  const tokens = createBotTokens(seed);
  const users = createUserDirectory({ seed, notFoundShare, now, isBot: tokens.isBot });
  const invites = createInvites(seed, notFoundShare);
  const faults = createFaults(drawsFrom(`${seed}:faults`), now);
  const invalidRequests = createInvalidRequests(settings.invalidLimit);
  const traffic = createTraffic();
  const guildCounts = new Map<string, number>();
  if (settings.chaos > 0) faults.set({ chaos: settings.chaos });

  const controls: SandboxControls = {
    mintToken: tokens.mint,
    resetToken: tokens.reset,
    revoke: tokens.revoke,
    revokeAll: tokens.revokeAll,
    setGuildCount: (token, count) => {
      const botId = tokens.botIdOf(token);
      if (botId !== undefined) guildCounts.set(botId, count);
    },
    setInviteGuild: invites.setGuild,
    liftBans: invalidRequests.liftBans,
    faults,
    stats: traffic.stats,
    sampleProfiles: SAMPLE_PROFILES,
  };

  const guildCountOf = (botId: string): number => guildCounts.get(botId) ?? 0;
  const api = createApi({
    seed,
    now,
    tokens,
    limits: createRateLimits(settings),
    users,
    invites,
    guildCountOf,
  });
  const frontEnd = createFrontEnd({
    now,
    pause,
    api,
    faults,
    invalidRequests,
    traffic,
    tokens,
    banForm: settings.banForm,
  });
  const cdn = createCdn(users);
  const control = createControlRoutes(controls);

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { path, query } = splitUrl(request.url ?? '/');
    if (path.startsWith(API_PREFIX)) return frontEnd(apiRequest(request, path, query));
    if (path.startsWith(CONTROL_PREFIX)) return control(request, path.slice(CONTROL_PREFIX.length));
    return request.method === 'GET' || request.method === 'HEAD' ? cdn(path, query) : methodNotAllowed;
  };

  const handle: Serve = async (request, response) => deliver(response, await answer(request), pause);
  return { ...controls, ...serve(handle) };
};

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const serve = (handle: Serve): Pick<Sandbox, 'listen' | 'close'> => {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // A defect of the sandbox must show as a broken connection, never as an answer of the platform.
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  return {
    listen: ({ host = '127.0.0.1', port = 0 } = {}) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          const { port: actualPort } = server.address() as AddressInfo;
          const cdnUrl = `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
          resolve({ apiUrl: `${cdnUrl}${API_PREFIX}v10`, cdnUrl });
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
