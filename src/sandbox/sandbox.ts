import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deliver, realPause, type Answer } from './answer.ts';
import { createApi, tokenOf, type ApiRequest } from './api/api-routes.ts';
import { createBotTokens } from './api/bot-tokens.ts';
import { createCdn } from './cdn/cdn-routes.ts';
import { destinationOf } from './api/destination.ts';
import { createControlRoutes } from './control-routes.ts';
import { createFaults } from './faults/faults.ts';
import { createInvalidRequests } from './api/invalid-requests.ts';
import { createInvites } from './api/invites.ts';
import { bans, blockedUserAgent, methodNotAllowed } from './api/platform-errors.ts';
import { createRateLimits, type LimitMode } from './api/rate-limits.ts';
import { drawsFrom } from './profiles/seeded-draws.ts';
import { createTraffic } from './api/traffic-stats.ts';
import { createFindUser } from './profiles/generated-profiles.ts';

const DEFAULTS = {
  /** Slots of a bot's bucket for one route. */
  limit: 30,
  periodMs: 30_000,
  mode: 'sliding' as LimitMode,
  globalPerSecond: 50,
  /** Invalid requests in ten minutes that get an address banned for an hour. */
  invalidLimit: 10_000,
  now: Date.now,
  pause: realPause,
  notFoundShare: 0.08,
};

export type SandboxOptions = Readonly<Partial<typeof DEFAULTS>>;

export type Sandbox = ReturnType<typeof createSandbox>;

const API_PREFIX = '/api/';
const CONTROL_PREFIX = '/_sandbox/';
/** Longer than clients keep idle connections, so that none is closed while a request is on its way. */
const KEEP_ALIVE_MS = 75_000;

/** Discord documents `DiscordBot (url, version)`, but lets in clients without the comma, and fetch's own name. */
const KNOWN_USER_AGENT = /^DiscordBot \([^)]+\)|^node$/;

const isInvalid = ({ status, headers }: Answer): boolean =>
  status === 401 || status === 403 || (status === 429 && headers['x-ratelimit-scope'] !== 'shared');

/** Never the header itself: a token sent without a scheme must not end up in the statistics. */
const schemeOf = ({ authorization }: ApiRequest): string =>
  authorization === undefined ? 'none' : (/^([^ ]*) /.exec(authorization)?.[1] ?? 'bare');

const apiRequest = (request: IncomingMessage, path: string): ApiRequest => ({
  ...destinationOf(path.slice(API_PREFIX.length)),
  method: request.method ?? 'GET',
  authorization: request.headers.authorization,
  userAgent: request.headers['user-agent'],
  clientIp: request.socket.remoteAddress ?? '',
});

export const createSandbox = (options: SandboxOptions = {}) => {
  const settings = { ...DEFAULTS, ...options };
  const { now, pause, notFoundShare } = settings;
  const tokens = createBotTokens();
  const findUser = createFindUser({ notFoundShare, now, isBot: tokens.isBot });
  const invites = createInvites();
  const faults = createFaults(drawsFrom('faults'), now);
  const invalidRequests = createInvalidRequests(settings.invalidLimit);
  const traffic = createTraffic();

  const limits = createRateLimits(settings);
  const api = createApi({ now, tokens, limits, findUser, invites });
  const cdn = createCdn(findUser);
  const control = createControlRoutes({ tokens, invites, invalidRequests, faults, traffic });

  const checkedAnswer = (request: ApiRequest): Answer => {
    if (invalidRequests.isBanned(request.clientIp, now())) return bans.json;
    if (!KNOWN_USER_AGENT.test(request.userAgent ?? '')) return blockedUserAgent;
    return api(request);
  };

  const frontEnd = async (request: ApiRequest): Promise<Answer> => {
    const { route } = request;
    const token = tokenOf(request);
    const plan = faults.plan({ token, route });
    // Half of the latency on either way, so that requests too arrive out of order.
    if (plan.delayMs > 0) await pause(plan.delayMs / 2);
    const arrivedMs = now();
    const answer = plan.apply(checkedAnswer(request));
    const invalid = isInvalid(answer);
    if (invalid) invalidRequests.record(request.clientIp, now());
    const botId = tokens.botIdOf(token);
    traffic.record({ status: answer.status, invalid, route, scheme: schemeOf(request), botId, arrivedMs });
    if (plan.delayMs > 0) await pause(plan.delayMs / 2);
    return answer;
  };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const [path = '', ...queries] = (request.url ?? '/').split('?');
    const query = queries.join('?');
    if (path.startsWith(API_PREFIX)) return frontEnd(apiRequest(request, path));
    if (path.startsWith(CONTROL_PREFIX)) return control(request, path.slice(CONTROL_PREFIX.length));
    return request.method === 'GET' || request.method === 'HEAD' ? cdn(path, query) : methodNotAllowed;
  };

  return {
    mintToken: tokens.mint,
    resetToken: tokens.reset,
    revoke: tokens.revoke,
    revokeAll: tokens.revokeAll,
    setGuildCount: tokens.setGuildCount,
    setInviteGuild: invites.setGuild,
    faults,
    stats: traffic.stats,
    ...serve(async (request, response) => deliver(response, await answer(request), pause)),
  };
};

const serve = (handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) => {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // A defect of the sandbox must show as a broken connection, never as an answer of the platform.
    handle(request, response).catch((error: unknown) => {
      const { code, stack } = error as NodeJS.ErrnoException;
      if (code !== 'ECONNRESET') process.stderr.write(`${stack}\n`);
      response.destroy();
    });
  });
  return {
    listen: async ({ host = '127.0.0.1', port = 0 } = {}) => {
      await once(server.listen(port, host), 'listening');
      const { port: actualPort } = server.address() as AddressInfo;
      const cdnUrl = `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
      return { apiUrl: `${cdnUrl}${API_PREFIX}v10`, cdnUrl };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
