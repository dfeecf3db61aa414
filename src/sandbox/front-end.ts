import type { Answer, Pause } from './answer.ts';
import { tokenOf, type ApiRequest } from './api/api-routes.ts';
import type { BotTokens } from './api/bot-tokens.ts';
import type { Faults } from './faults/faults.ts';
import type { InvalidRequests } from './api/invalid-requests.ts';
import { bans, blockedUserAgent } from './api/platform-errors.ts';
import type { Traffic } from './api/traffic-stats.ts';

export type FrontEndDeps = {
  readonly now: () => number;
  readonly pause: Pause;
  readonly api: (request: ApiRequest) => Answer;
  readonly faults: Faults;
  readonly invalidRequests: InvalidRequests;
  readonly traffic: Traffic;
  readonly tokens: BotTokens;
};

/** Discord documents `DiscordBot (url, version)`, but lets in clients without the comma, and fetch's own name. */
const KNOWN_USER_AGENT = /^DiscordBot \([^)]+\)|^node$/;

const isInvalid = ({ status, headers }: Answer): boolean =>
  status === 401 || status === 403 || (status === 429 && headers['x-ratelimit-scope'] !== 'shared');

/** Never the header itself: a token sent without a scheme must not end up in the statistics. */
const schemeOf = ({ authorization }: ApiRequest): string =>
  authorization === undefined ? 'none' : (/^([^ ]*) /.exec(authorization)?.[1] ?? 'bare');

/** What is in front of the platform: bans by address, the User-Agent check, and the faults we ask for. */
export const createFrontEnd = (deps: FrontEndDeps): ((request: ApiRequest) => Promise<Answer>) => {
  const { now, pause, api, faults, invalidRequests, traffic, tokens } = deps;

  const answerOf = (request: ApiRequest): Answer => {
    if (invalidRequests.isBanned(request.clientIp, now())) return bans.json;
    if (!KNOWN_USER_AGENT.test(request.userAgent ?? '')) return blockedUserAgent;
    return api(request);
  };

  return async (request) => {
    const { route } = request;
    const token = tokenOf(request);
    const plan = faults.plan({ token, route });
    // Half of the latency on either way, so that requests too arrive out of order.
    if (plan.delayMs > 0) await pause(plan.delayMs / 2);
    const arrivedMs = now();
    const answer = plan.apply(answerOf(request));
    const invalid = isInvalid(answer);
    if (invalid) invalidRequests.record(request.clientIp, now());
    const botId = tokens.botIdOf(token);
    traffic.record({ status: answer.status, invalid, route, scheme: schemeOf(request), botId, arrivedMs });
    if (plan.delayMs > 0) await pause(plan.delayMs / 2);
    return answer;
  };
};
