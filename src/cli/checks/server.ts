import { resolve } from 'node:path';
import type { Config } from '#server/config.ts';
import { explainPause } from '#server/notices/notices.ts';
import { remedyOfFault } from '#server/storage/storage-fault.ts';
import { PAUSE_CAUSES, type LookupPause } from '#shared/contract/status.ts';
import { fieldOf } from '#shared/json.ts';
import { urlOf, askReadiness, type Readiness } from '../running-server.ts';

export type ServerProblem = { readonly finding: string; readonly remedy: string };

/** In the order of importance. */
const SERVER_PROBLEMS = [
  ['draining', 'is stopping', 'wait for it to stop, then start it again.'],
  [
    'database_replaced',
    'still has a database open that was moved, deleted or replaced',
    'put the file back, or restart the server to use what is there now.',
  ],
  ['postgres_problem', 'cannot use PostgreSQL', null],
  ['records_problem', 'cannot apply what commands and donors have changed', null],
  [
    'overloaded',
    'is overloaded and turning visitors away',
    "wait for it to catch up; if it doesn't, give it more CPU.",
  ],
] as const;

export const findServerWarnings = (server: Readiness, { platform, dataDir }: Config): ServerProblem[] => {
  const peer = fieldOf(server['untrusted_proxy'], 'peer');
  const others = [
    ['PLATFORM', server['platform'], platform.kind],
    ['DATA_DIR', server['data_dir'], resolve(dataDir)],
  ] as const;
  return [
    peer !== undefined && {
      finding: `gets visitors through a proxy that is not in TRUSTED_PROXIES${typeof peer === 'string' ? ` (${peer})` : ''}, so all of them share one limit`,
      remedy: `set TRUSTED_PROXIES${typeof peer === 'string' ? `=${peer}` : " to the proxy's address"}, and restart the server.`,
    },
    ...others.map(
      ([name, used, said]) =>
        typeof used === 'string' &&
        used !== said && {
          finding: `uses ${name}=${used}, but these settings say ${said}`,
          remedy: 'give ops the settings of the server, with .env or --env-file.',
        },
    ),
  ].filter((warning) => warning !== false);
};

export const findServerProblem = async ({
  admin,
  tokenDonations,
}: Config): Promise<{ readonly server: Readiness | null; readonly problem: ServerProblem | null }> => {
  const server = await askReadiness(admin);
  const noAnswer = {
    finding: `does not answer at ${urlOf(admin)}`,
    remedy: 'start it, or check ADMIN_HOST and ADMIN_PORT.',
  };
  return { server, problem: server === null ? noAnswer : problemOf(server, tokenDonations) };
};

const remedyOfReport = (message: string): string =>
  message.startsWith('PostgreSQL: ')
    ? remedyOfFault(message)
    : 'see what ops doctor says of keyring, disk and database; after ops vault rotate, restart the server.';

const problemOf = (server: Readiness, tokenDonations: boolean): ServerProblem | null => {
  for (const [field, finding, remedy] of SERVER_PROBLEMS) {
    const reported = server[field];
    if (reported === true || typeof reported === 'string')
      return {
        finding: typeof reported === 'string' ? `${finding} (${reported})` : finding,
        remedy: remedy ?? remedyOfReport(String(reported)),
      };
  }
  if (!server.ready) return { finding: 'is not ready', remedy: 'wait for it to start.' };
  const pause = server['paused'];
  if (!isPause(pause)) return null;
  const suspect = Number(fieldOf(server['pool'], 'suspect') ?? 0);
  const tokensHeld = server['tokens_held'] === true;
  const facts = { suspect, tokensHeld, tokenDonations, postgresProblem: null };
  const [why, remedy] = explainPause(pause.cause, facts);
  const until = pause.until === null ? '' : ` until ${pause.until}`;
  return { finding: `has paused lookups since ${pause.since}${until}: ${why}`, remedy };
};

/** The server may be of another version. */
const isPause = (reported: unknown): reported is LookupPause =>
  PAUSE_CAUSES.includes(fieldOf(reported, 'cause') as never);
