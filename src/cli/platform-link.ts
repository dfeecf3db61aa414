import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { createDiscordClient } from '#server/discord/discord-client.ts';
import { userAgent } from '#server/discord/user-agent.ts';
import { createCheckToken, type CheckToken } from '#server/donation/check-token.ts';
import {
  createInvalidRequestFile,
  type InvalidRequestJournal,
} from '#server/storage/invalid-request-file.ts';
import type { System } from '#server/system.ts';
import { createEgressGate } from '#server/tokens/egress-gate.ts';
import { createInvalidRequestGovernor } from '#server/tokens/invalid-request-governor.ts';
import { createFindInvite, type FindInvite } from '#server/vanity/find-invite.ts';

/** The questions that commands ask the platform. */
export type PlatformLink = {
  readonly apiUrl: string;
  readonly userAgent: string;
  readonly checkToken: CheckToken;
  readonly findInvite: FindInvite;
  readonly close: () => Promise<void>;
};

/** Without an address of its own the sandbox is the one that a running server brings along. */
const apiUrlOf = ({ platform }: Config): string =>
  platform.urls?.apiUrl ?? `http://127.0.0.1:${platform.kind === 'sandbox' ? platform.port : ''}/api/v10`;

export const createPlatformLink = (config: Config, { clock, random }: System): PlatformLink => {
  const apiUrl = apiUrlOf(config);
  const agent = userAgent(config.publicUrl);
  const file = createInvalidRequestFile(join(config.dataDir, 'invalid-requests.json'), () => {});
  // What the server has counted holds for us too, but the file is the server's to write.
  const journal: InvalidRequestJournal = { load: file.load, save: () => {} };
  const governor = createInvalidRequestGovernor({ clock, journal });
  const gate = createEgressGate({ random, governor, perSecond: config.egressPerSecond });
  const client = createDiscordClient({ clock, apiUrl, userAgent: agent, onAnswer: () => {} });
  return {
    apiUrl,
    userAgent: agent,
    checkToken: createCheckToken({ clock, client, gate, governor }),
    findInvite: createFindInvite({ clock, client, gate }),
    close: client.close,
  };
};
