import type { Config } from '#server/config.ts';
import { createCheckToken } from '#server/donation/check-token.ts';
import { invalidRequestJournal } from '#server/open-records.ts';
import { connectPlatform } from '#server/platform/connect-platform.ts';
import { TOKEN_CHECK_LIMIT } from '#server/platform/invalid-requests.ts';
import type { System } from '#server/system.ts';
import { failed, type PlatformLink } from './command.ts';

/** For one command: the platform counts these against our address, but the server does not know of them. */
const MAX_FAILED_CHECKS = 20;

/** Without an address in the settings, the sandbox is the one that a running server starts. */
const apiUrlOf = ({ platform }: Config): string =>
  platform.urls?.apiUrl ?? `http://127.0.0.1:${platform.kind === 'sandbox' ? platform.port : ''}/api/v10`;

export const createPlatformLink = (config: Config, system: System): PlatformLink => {
  const apiUrl = apiUrlOf(config);
  const api = connectPlatform({
    system,
    apiUrl,
    publicUrl: config.publicUrl,
    perSecond: config.egressPerSecond,
    // The server's count holds for us too, but only the server writes the file.
    journal: { load: invalidRequestJournal(config).load, save: () => {} },
    onJournalFailed: () => {},
    onAnswer: () => {},
  });
  const checkToken = createCheckToken(system.clock, api);
  let failedChecks = 0;
  return {
    apiUrl,
    api,
    checkToken: async (token) => {
      if (failedChecks >= MAX_FAILED_CHECKS)
        throw failed(
          `The platform rejected ${MAX_FAILED_CHECKS} tokens, and it bans addresses that send too many bad ones`,
          'wait ten minutes, then do the rest.',
        );
      if (api.invalidRequests() >= TOKEN_CHECK_LIMIT)
        throw failed(
          'Too many invalid requests were sent to the platform in the last ten minutes',
          'wait ten minutes, then try again.',
        );
      const verdict = await checkToken(token);
      if (verdict.kind === 'rejected') failedChecks += 1;
      return verdict;
    },
  };
};
