import type { CommandContext } from '../command.ts';
import { failed } from '../failure.ts';
import type { Checks, Found } from './check.ts';

const MAX_SKEW_SECONDS = 30;

const inspectPlatform = async (context: CommandContext): Promise<Found> => {
  const { apiUrl, api } = await context.platform();
  const answer = await (await api.requestPermit('getGateway'))?.send();
  if (answer === undefined) throw failed(`${apiUrl} could not be asked: the server is busy`, 'try again.');
  if (answer.kind === 'failed')
    throw failed(
      `${apiUrl} ${answer.reason === 'status' ? `answers with status ${answer.status}` : 'does not answer properly'}`,
      'check the network, and DISCORD_API_URL if it is set; or wait.',
    );
  if (answer.kind !== 'found')
    throw failed(`${apiUrl} is refusing requests from this machine`, 'wait ten minutes.');
  const { wallMs } = answer.value;
  const ahead = wallMs === null ? 0 : Math.round((context.system.clock.wallMs() - wallMs) / 1_000);
  if (Math.abs(ahead) <= MAX_SKEW_SECONDS) return `${apiUrl} answers`;
  throw failed(
    `this machine's clock is ${Math.abs(ahead)} s ${ahead < 0 ? 'behind' : 'ahead of'} the platform's`,
    'set it, ideally with NTP.',
  );
};

export const PLATFORM_CHECK: Checks = [['platform', inspectPlatform]];
