import type { PlatformClock } from '#server/platform/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { Config } from '#server/config.ts';
import type { CommandContext } from '../command.ts';
import { adminUrl, askRunningServer, type RunningServer } from '../running-server.ts';
import type { Examination } from './examination.ts';

const MAX_SKEW_MS = 30_000;

/** The platform, the clock and the server. */
export const examineSurroundings = async ({
  config,
  system,
  platform,
}: CommandContext): Promise<Examination[]> => {
  const { apiUrl, door } = platform();
  const answer = await (await door.pass())?.getGateway();
  return [
    examinePlatform(answer, apiUrl),
    ...examineClock(answer, system.clock.wallMs()),
    examineServer(await askRunningServer(config.admin), config),
  ];
};

type Gateway = PlatformAnswer<PlatformClock> | undefined;

const examinePlatform = (answer: Gateway, apiUrl: string): Examination => {
  const what = 'platform';
  switch (answer?.kind) {
    case 'found':
      return { what, finding: `${apiUrl} answers` };
    case 'failed':
      return answer.reason === 'network' || answer.reason === 'timeout'
        ? {
            what,
            finding: `${apiUrl} does not answer`,
            mend: 'check the network, and DISCORD_API_URL if it is set; the sandbox runs with the server.',
          }
        : {
            what,
            finding: `${apiUrl} gives no usable answer${answer.reason === 'status' ? `, but status ${answer.status}` : ''}`,
            mend: 'wait: it is out of order; or check DISCORD_API_URL, if it is set.',
          };
    default:
      return {
        what,
        finding: `${apiUrl} turns us away`,
        mend: 'wait: there were too many invalid requests from the address of this machine.',
      };
  }
};

const examineClock = (answer: Gateway, wallMs: number): Examination[] => {
  if (answer?.kind !== 'found' || answer.value.wallMs === null) return [];
  const aheadMs = wallMs - answer.value.wallMs;
  const seconds = Math.round(aheadMs / 1_000);
  const finding = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the platform's`;
  return Math.abs(aheadMs) > MAX_SKEW_MS
    ? [{ what: 'clock', finding, mend: 'set the clock of this machine, best by NTP.' }]
    : [{ what: 'clock', finding }];
};

const examineServer = (server: RunningServer | null, { admin, tokenDonations }: Config): Examination => {
  const what = 'server';
  if (server === null)
    return {
      what,
      finding: `none answers at ${adminUrl(admin)}`,
      mend: 'start it, or check ADMIN_HOST and ADMIN_PORT.',
    };
  if (server['draining'] === true)
    return { what, finding: 'is stopping', mend: 'wait until it has ended, then start it again.' };
  if (server['overloaded'] === true)
    return {
      what,
      finding: 'is overloaded and turns visitors away',
      mend: 'wait until it has caught up; if it does not, give it more processor time.',
    };
  if (!server.ready) return { what, finding: 'is not ready', mend: 'wait: it is starting.' };
  const { healthy } = (server['pool'] ?? {}) as { healthy?: unknown };
  return healthy === 0
    ? {
        what,
        finding: 'runs without a working token',
        mend: tokenDonations ? 'add one with tokens add.' : 'set BOT_TOKENS, and start it again.',
      }
    : { what, finding: 'is ready' };
};
