import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { createDiscordClient } from '#server/platform/discord-client.ts';
import { userAgent } from '#server/platform/user-agent.ts';
import { INVALID_REQUESTS_FILE } from '#server/open-records.ts';
import { createCheckToken, GOVERNOR_SOFT_LIMIT, type CheckToken } from '#server/donation/check-token.ts';
import {
  createInvalidRequestFile,
  type InvalidRequestJournal,
} from '#server/platform/invalid-request-file.ts';
import type { System } from '#server/system.ts';
import { createEgressGate } from '#server/platform/egress-gate.ts';
import { createInvalidRequestGovernor } from '#server/platform/invalid-request-governor.ts';
import { createFindInvite, type FindInvite } from '#server/vanity/find-invite.ts';

/** The questions that commands ask the platform. */
export type PlatformLink = {
  readonly apiUrl: string;
  readonly userAgent: string;
  readonly checkToken: CheckToken;
  /** Why no further token is to be checked now, as a sentence; null if nothing speaks against it. */
  readonly whyNoCheck: () => string | null;
  readonly findInvite: FindInvite;
  readonly close: () => Promise<void>;
};

/** For one command: the server does not count them, although the platform does. */
const MAX_FAILED_CHECKS = 20;

/** Without an address of its own the sandbox is the one that a running server brings along. */
const apiUrlOf = ({ platform }: Config): string =>
  platform.urls?.apiUrl ?? `http://127.0.0.1:${platform.kind === 'sandbox' ? platform.port : ''}/api/v10`;

export const createPlatformLink = (config: Config, { clock, random }: System): PlatformLink => {
  const apiUrl = apiUrlOf(config);
  const agent = userAgent(config.publicUrl);
  const file = createInvalidRequestFile(join(config.dataDir, INVALID_REQUESTS_FILE), () => {});
  // What the server has counted holds for us too, but the file is the server's to write.
  const journal: InvalidRequestJournal = { load: file.load, save: () => {} };
  const governor = createInvalidRequestGovernor({ clock, journal });
  const gate = createEgressGate({ random, governor, perSecond: config.egressPerSecond });
  const client = createDiscordClient({ clock, apiUrl, userAgent: agent, onAnswer: () => {} });
  const checkToken = createCheckToken({ clock, client, gate, governor });
  let failedChecks = 0;
  return {
    apiUrl,
    userAgent: agent,
    checkToken: async (token) => {
      const verdict = await checkToken(token);
      if (verdict.kind === 'rejected') failedChecks += 1;
      return verdict;
    },
    whyNoCheck: () => {
      if (failedChecks >= MAX_FAILED_CHECKS)
        return `The platform did not accept ${MAX_FAILED_CHECKS} tokens, and bans an address that sends too many of those: wait ten minutes before the rest.`;
      return governor.count() >= GOVERNOR_SOFT_LIMIT
        ? 'There were too many invalid requests to the platform in the last ten minutes: wait as long, then try again.'
        : null;
    },
    findInvite: createFindInvite({ clock, client, gate }),
    close: client.close,
  };
};
