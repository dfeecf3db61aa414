import { probePlatform, type PlatformProbe } from '#server/platform/platform-probe.ts';
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
  const { apiUrl, userAgent } = platform();
  const probe = await probePlatform(apiUrl, userAgent);
  return [
    examinePlatform(probe, apiUrl),
    ...examineClock(probe, system.clock.wallMs()),
    examineServer(await askRunningServer(config.admin), config),
  ];
};

const examinePlatform = (probe: PlatformProbe, apiUrl: string): Examination => {
  const what = 'platform';
  switch (probe.kind) {
    case 'reachable':
      return { what, finding: `${apiUrl} answers` };
    case 'refused':
      return {
        what,
        finding: `${apiUrl} answers with status ${probe.status}`,
        mend: 'wait: it is out of order, or turns away the address of this machine.',
      };
    case 'unreachable':
      return {
        what,
        finding: `${apiUrl} does not answer`,
        mend: 'check the network, and DISCORD_API_URL if it is set; the sandbox runs with the server.',
      };
  }
};

const examineClock = (probe: PlatformProbe, wallMs: number): Examination[] => {
  if (probe.kind !== 'reachable' || probe.clockMs === null) return [];
  const seconds = Math.round((wallMs - probe.clockMs) / 1_000);
  const finding = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the platform's`;
  return Math.abs(wallMs - probe.clockMs) > MAX_SKEW_MS
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
