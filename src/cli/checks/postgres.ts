import { plural } from '../output.ts';
import { createNodeStore } from '#server/storage/node-store.ts';
import { CONNECTIONS_OF_SERVER, mostConnections, roleIn } from '#server/storage/sql-dialect.ts';
import { describeRecords, inspectRecords } from '#server/open-records.ts';
import type { DatabaseState } from '#server/storage/database.ts';
import type { CommandContext } from '../command.ts';
import { failed } from '../refusals.ts';
import { check, warning, type Check, type Finding } from './check.ts';

export const checkPostgres = async (context: CommandContext): Promise<Check[]> => {
  const database = await check('database', () => inspectDatabase(context));
  return database.state === 'ok'
    ? [
        database,
        await check('role', () => inspectRole(context)),
        await check('servers', () => inspectServers(context)),
        await check('connections', () => inspectConnections(context)),
      ]
    : [database];
};

/** Of a database that is there, whatever it is in. */
export const describeVersion = (
  { kind, version }: Extract<DatabaseState, { version: number }>,
  finding: string,
): string | Finding => {
  if (kind === 'newer')
    throw failed(`is version ${version}, which is too new`, 'upgrade to a newer version of this program.');
  return kind === 'outdated'
    ? warning(`${finding}, from an older version`, 'run ops migrate, or start the server.')
    : `${finding}, version ${version}`;
};

const inspectDatabase = async ({ config }: CommandContext): Promise<string | Finding> => {
  const place = describeRecords(config);
  const state = await inspectRecords(config);
  if (!('version' in state))
    throw failed(
      `there are no records ${place}`,
      'check DATABASE_URL, begin a new site with ops init, or bring yours there with ops restore.',
    );
  return describeVersion(state, place);
};

/** Who takes its password could run programs on PostgreSQL's machine. */
const inspectRole = async (context: CommandContext): Promise<string | Finding> => {
  const { name, superuser } = await roleIn((await context.openRecords()).database);
  if (!superuser) return `${name}, which is no superuser`;
  return warning(
    `${name} is a superuser of PostgreSQL`,
    'make the database over to a role that is none, and set DATABASE_URL to it (docs/cluster.md).',
  );
};

const inspectServers = async (context: CommandContext): Promise<string | Finding> => {
  const { database } = await context.openRecords();
  const store = createNodeStore(database);
  const nodes = await store.live();
  const lost = await store.lost();
  if (lost.length > 0) return warning(describeLost(nodes.length, lost), FORGET_REMEDY);
  return nodes.length === 0
    ? 'none running'
    : nodes.map(({ name, version }) => `${name} (${version})`).join(', ');
};

const FORGET_REMEDY = 'start it again; if it is gone for good, run ops status --forget with its name.';

export const describeLost = (
  running: number,
  lost: readonly { readonly name: string; readonly last_seen: string }[],
): string =>
  `${running} of ${running + lost.length} running; ${lost.map(({ name, last_seen: at }) => `${name} was last seen at ${at}`).join(', ')}`;

/** One server more than now must fit, for an upgrade. */
const inspectConnections = async (context: CommandContext): Promise<string> => {
  const { database } = await context.openRecords();
  const servers = (await createNodeStore(database).live()).length;
  const most = await mostConnections(database);
  const needed = (servers + 1) * CONNECTIONS_OF_SERVER;
  const finding = `${plural(servers, 'server')}, up to ${servers * CONNECTIONS_OF_SERVER} of ${most}`;
  if (needed <= most) return finding;
  throw failed(
    finding,
    `set max_connections of PostgreSQL to ${needed + 10} or more, or put PgBouncer in front.`,
  );
};
