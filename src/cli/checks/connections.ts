import type { Config } from '#server/config.ts';
import type { PlatformClock } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import type { CommandContext } from '../command.ts';
import { asOperatorError } from '../failure.ts';
import { failed } from '../refusals.ts';
import { check, type Check, type Finding } from './check.ts';
import { findServerProblem, findServerWarnings } from './server.ts';

const MAX_SKEW_MS = 30_000;

export const checkConnections = async (context: CommandContext): Promise<Check[]> => {
  const { config, system } = context;
  const clockChecks: Check[] = [];
  const platform = await check('platform', async () => {
    // Another check says why. Without the records nobody knows whether the platform may be asked.
    const records = await context.openRecords().catch(nullIfRefused);
    if (records === null) return 'is not asked while the database cannot be used';
    const { apiUrl, api } = await context.platform();
    const answer = await (await api.requestPermit('getGateway'))?.send();
    const platformMs = answer?.kind === 'found' ? answer.value.wallMs : null;
    if (platformMs !== null)
      clockChecks.push(await check('clock', () => inspectClock(system.clock.wallMs() - platformMs)));
    return inspectPlatform(answer, apiUrl);
  });
  return [platform, ...clockChecks, await check('server', () => inspectServer(config))];
};

const nullIfRefused = (error: unknown): null => {
  if (asOperatorError(error) === null) throw error;
  return null;
};

const inspectPlatform = (answer: PlatformAnswer<PlatformClock> | undefined, apiUrl: string): string => {
  if (answer?.kind === 'found') return `${apiUrl} answers`;
  if (answer === undefined) throw failed(`${apiUrl} could not be asked: the server is busy`, 'try again.');
  if (answer.kind !== 'failed')
    throw failed(`${apiUrl} is refusing requests from this machine`, 'wait ten minutes.');
  const finding =
    answer.reason === 'status' ? `answers with status ${answer.status}` : 'does not answer properly';
  throw failed(`${apiUrl} ${finding}`, 'check the network, and DISCORD_API_URL if it is set; or wait.');
};

const inspectClock = (aheadMs: number): string => {
  const seconds = Math.round(aheadMs / 1_000);
  const finding = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the platform's`;
  if (Math.abs(aheadMs) <= MAX_SKEW_MS) return finding;
  throw failed(finding, "set this machine's clock, ideally with NTP.");
};

const inspectServer = async (config: Config): Promise<string | Finding> => {
  const { server, problem } = await findServerProblem(config);
  if (problem !== null) throw failed(problem.finding, problem.remedy);
  const [warning] = server === null ? [] : findServerWarnings(server, config);
  if (warning !== undefined) return { state: 'warning', ...warning };
  const unknown = server?.['unknown_fields'];
  return Array.isArray(unknown) && unknown.length > 0
    ? `is ready; Discord sends what Whoflake does not show: ${unknown.join(', ')}`
    : 'is ready';
};
