import { createNodeStore } from '#server/nodes/node-store.ts';
import { leadingStore, storesDiffer } from '#server/nodes/store-agreement.ts';
import { describeRecords, inspectRecords } from '#server/open-records.ts';
import { failed, type CommandContext } from '../command.ts';
import { check, type Check } from './check.ts';

/** The records in PostgreSQL, and who runs on them. */
export const checkPostgres = async (context: CommandContext): Promise<Check[]> => {
  const database = await check('database', () => inspectDatabase(context));
  return database.state === 'ok'
    ? [database, await check('servers', () => inspectServers(context))]
    : [database];
};

const inspectDatabase = async ({ config }: CommandContext): Promise<string> => {
  const place = describeRecords(config);
  const state = await inspectRecords(config);
  if (!('version' in state))
    throw failed(
      `there are no records ${place}`,
      'check DATABASE_URL, begin a new site with ops init, or bring yours there with ops move-records.',
    );
  const { kind, version } = state;
  if (kind === 'newer')
    throw failed(`is version ${version}, which is too new`, 'upgrade to a newer version of this program.');
  if (kind === 'outdated')
    throw failed(`is version ${version}, from an older program`, 'run ops migrate, or start the server.');
  return `${place}, version ${version}`;
};

const inspectServers = async (context: CommandContext): Promise<string> => {
  const { database } = await context.openRecords();
  const nodes = await createNodeStore(database).live();
  const alone = nodes.filter(({ shared }) => !shared);
  if (nodes.length > 1 && alone.length > 0)
    throw failed(
      `${alone.map(({ name }) => name).join(', ')} without SHARED_STATE_URL beside others`,
      'set it for all of them, to the same address.',
    );
  const leader = nodes.find(({ store_id }) => store_id !== null && store_id === leadingStore(nodes));
  const other = nodes.find(({ store_id }) => store_id !== null && store_id !== leader?.store_id);
  if (leader && other) throw storesDiffer(other, leader);
  if (new Set(nodes.map(({ kids }) => kids)).size > 1)
    throw failed('their keyrings differ', 'copy the newest keyring to all of them.');
  return nodes.length === 0
    ? 'none running'
    : nodes.map(({ name, version }) => `${name} (${version})`).join(', ');
};
