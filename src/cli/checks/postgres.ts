import { createNodeStore } from '#server/storage/node-store.ts';
import { CONNECTIONS_OF_SERVER, mostConnections, roleIn } from '#server/storage/sql-dialect.ts';
import type { CommandContext } from '../command.ts';
import { plural } from '../output.ts';
import { failed } from '../failure.ts';
import { warning, type Checks, type Found } from './check.ts';

/** Who takes its password could run programs on PostgreSQL's machine. */
const inspectRole = async (context: CommandContext): Promise<Found> => {
  const { name, superuser } = await roleIn((await context.openRecords()).database);
  if (!superuser) return `${name}, which is no superuser`;
  return warning(
    `${name} is a superuser of PostgreSQL`,
    'make the database over to a role that is none, and set DATABASE_URL to it (docs/cluster.md).',
  );
};

const inspectServers = async (context: CommandContext): Promise<Found> => {
  const store = createNodeStore((await context.openRecords()).database);
  const [nodes, lost] = [await store.live(), await store.lost()];
  if (lost.length === 0)
    return nodes.map(({ name, version }) => `${name} (${version})`).join(', ') || 'none running';
  return warning(
    lost.map(({ name, last_seen: at }) => `${name} was last seen at ${at}`).join(', '),
    'start it again; if it is gone for good, run ops status --forget with its name.',
  );
};

/** One server more than now must fit, for an upgrade. */
const inspectConnections = async (context: CommandContext): Promise<Found> => {
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

export const POSTGRES_CHECKS: Checks = [
  ['role', inspectRole],
  ['servers', inspectServers],
  ['connections', inspectConnections],
];
