import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './answer.ts';
import { createApi, type ApiRequest } from './api/api-routes.ts';
import { createBotTokens } from './api/bot-tokens.ts';
import { createCdn } from './cdn/cdn-routes.ts';
import { createControlRoutes, type SandboxControls } from './control-routes.ts';
import { deliver, realPause, type Pause } from './deliver.ts';
import { createFaults } from './faults/faults.ts';
import { createFrontEnd } from './front-end.ts';
import { createInvalidRequests } from './api/invalid-requests.ts';
import { createInvites } from './api/invites.ts';
import { methodNotAllowed, type BanForm } from './api/platform-errors.ts';
import { createRateLimits, type LimitMode } from './api/rate-limits.ts';
import { SAMPLE_PROFILES } from './profiles/sample-profiles.ts';
import { drawsFrom } from './profiles/seeded-draws.ts';
import { createTraffic } from './api/traffic-stats.ts';
import { createUserDirectory } from './profiles/user-directory.ts';

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

export type Sandbox = SandboxControls & {
  /** Port 0, the default, lets the system choose. */
  readonly listen: (address?: {
    host?: string;
    port?: number;
  }) => Promise<{ apiUrl: string; cdnUrl: string }>;
  /** Also aborts what is under way. */
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
  const { now, pause, seed, notFoundShare, banForm } = settings;
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
  const limits = createRateLimits(settings);
  const api = createApi({ seed, now, tokens, limits, users, invites, guildCountOf });
  const frontEnd = createFrontEnd({ now, pause, api, faults, invalidRequests, traffic, tokens, banForm });
  const cdn = createCdn(users);
  const control = createControlRoutes(controls);

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { path, query } = splitUrl(request.url ?? '/');
    if (path.startsWith(API_PREFIX)) return frontEnd(apiRequest(request, path, query));
    if (path.startsWith(CONTROL_PREFIX)) return control(request, path.slice(CONTROL_PREFIX.length));
    return request.method === 'GET' || request.method === 'HEAD' ? cdn(path, query) : methodNotAllowed;
  };

  return {
    ...controls,
    ...serve(async (request, response) => deliver(response, await answer(request), pause)),
  };
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
