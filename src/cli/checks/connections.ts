import type { Config } from '#server/config.ts';
import type { PlatformClock } from '#server/platform/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { CommandContext } from '../command.ts';
import { adminUrl, askReadiness } from '../readiness.ts';
import { good, problem, type Check } from './check.ts';

const MAX_SKEW_MS = 30_000;

/** The platform, the clock by the platform's, and the running server. */
export const checkConnections = async ({ config, system, platform }: CommandContext): Promise<Check[]> => {
  const { apiUrl, door } = platform();
  const answer = await (await door.pass())?.getGateway();
  return [
    checkPlatform(answer, apiUrl),
    ...checkClock(answer, system.clock.wallMs()),
    await checkServer(config),
  ];
};

/** Undefined if too many invalid requests keep us from asking. */
type Gateway = PlatformAnswer<PlatformClock> | undefined;

const checkPlatform = (answer: Gateway, apiUrl: string): Check => {
  const what = 'platform';
  if (answer?.kind === 'found') return good(what, `${apiUrl} answers`);
  if (answer?.kind !== 'failed')
    return problem(what, `${apiUrl} turns away the address of this machine`, 'wait ten minutes.');
  return answer.reason === 'network' || answer.reason === 'timeout'
    ? problem(
        what,
        `${apiUrl} does not answer`,
        'check the network, and DISCORD_API_URL if it is set; the sandbox runs with the server.',
      )
    : problem(
        what,
        answer.reason === 'status'
          ? `${apiUrl} answers with status ${answer.status}`
          : `${apiUrl} gives no usable answer`,
        'wait: it is out of order; or check DISCORD_API_URL, if it is set.',
      );
};

const checkClock = (answer: Gateway, wallMs: number): Check[] => {
  if (answer?.kind !== 'found' || answer.value.wallMs === null) return [];
  const aheadMs = wallMs - answer.value.wallMs;
  const seconds = Math.round(aheadMs / 1_000);
  const finding = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the platform's`;
  return Math.abs(aheadMs) > MAX_SKEW_MS
    ? [problem('clock', finding, 'set the clock of this machine, best by NTP.')]
    : [good('clock', finding)];
};

const checkServer = async ({ admin, tokenDonations }: Config): Promise<Check> => {
  const what = 'server';
  const server = await askReadiness(admin);
  if (server === null)
    return problem(
      what,
      `none answers at ${adminUrl(admin)}`,
      'start it, or check ADMIN_HOST and ADMIN_PORT.',
    );
  if (server['draining'] === true)
    return problem(what, 'is stopping', 'wait until it has ended, then start it again.');
  if (server['overloaded'] === true)
    return problem(
      what,
      'is overloaded and turns visitors away',
      'wait until it has caught up; if it does not, give it more processor time.',
    );
  if (!server.ready) return problem(what, 'is not ready', 'wait: it is starting.');
  const { healthy } = (server['pool'] ?? {}) as { healthy?: unknown };
  if (healthy !== 0) return good(what, 'is ready');
  const remedy = tokenDonations ? 'add one with tokens add.' : 'set BOT_TOKENS, and start it again.';
  return problem(what, 'runs without a working token', remedy);
};
