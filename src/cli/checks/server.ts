import type { Config } from '#server/config.ts';
import { explainPause } from '#server/notices/notices.ts';
import { remedyOfFault } from '#server/storage/storage-fault.ts';
import { PAUSE_CAUSES, type LookupPause } from '#shared/contract/status.ts';
import { fieldOf } from '#shared/json.ts';
import type { CommandContext } from '../command.ts';
import { askReadiness, urlOf, type Readiness } from '../running-server.ts';
import { warning, type Finding, type Found } from './check.ts';

/** In the order of importance. */
const PROBLEMS = [
  ['draining', 'is stopping', 'wait for it to stop, then start it again.'],
  [
    'database_replaced',
    'still has a database open that was moved, deleted or replaced',
    'put the file back, or restart the server to use what is there now.',
  ],
  ['postgres_problem', 'cannot use PostgreSQL', null],
  ['records_problem', 'cannot apply what commands and donors have changed', null],
  ['overloaded', 'is overloaded and turning visitors away', "wait; if that doesn't help, give it more CPU."],
] as const;

const remedyOfReport = (message: string): string =>
  message.startsWith('PostgreSQL: ')
    ? remedyOfFault(message)
    : 'see what ops doctor says of keyring, disk and database; after ops vault rotate, restart the server.';

/** What keeps visitors from being answered comes first, and there is one of it at most. */
export const findServerProblems = (server: Readiness | null, config: Config): Finding[] => {
  if (server === null)
    return [
      failure(`does not answer at ${urlOf(config.admin)}`, 'start it, or check ADMIN_HOST and ADMIN_PORT.'),
    ];
  const problems = problemOf(server, config);
  const peer = fieldOf(server['untrusted_proxy'], 'peer');
  if (typeof peer === 'string')
    problems.push(
      warning(
        `gets visitors through a proxy that is not in TRUSTED_PROXIES (${peer}), so all of them share one limit`,
        'add its address, and restart the server.',
      ),
    );
  return problems;
};

const failure = (finding: string, remedy: string): Finding => ({ state: 'failed', finding, remedy });

const problemOf = (server: Readiness, { tokenDonations }: Config): Finding[] => {
  for (const [field, finding, remedy] of PROBLEMS) {
    const reported = server[field];
    if (reported === true) return [failure(finding, remedy ?? remedyOfReport(''))];
    if (typeof reported === 'string')
      return [failure(`${finding} (${reported})`, remedy ?? remedyOfReport(reported))];
  }
  if (!server.ready) return [failure('is not ready', 'wait for it to start.')];
  const pause = server['paused'];
  if (!isPause(pause)) return [];
  const suspect = Number(fieldOf(server['pool'], 'suspect') ?? 0);
  const tokensHeld = server['tokens_held'] === true;
  const facts = { suspect, tokensHeld, tokenDonations, postgresProblem: null };
  const [why, remedy] = explainPause(pause.cause, facts);
  const until = pause.until === null ? '' : ` until ${pause.until}`;
  return [failure(`has paused lookups since ${pause.since}${until}: ${why}`, remedy)];
};

/** The server may be of another version. */
const isPause = (reported: unknown): reported is LookupPause =>
  PAUSE_CAUSES.includes(fieldOf(reported, 'cause') as never);

export const inspectServer = async ({ config }: CommandContext): Promise<Found> => {
  const problems = findServerProblems(await askReadiness(config.admin), config);
  return problems.length > 0 ? problems : 'is ready';
};
