import { sql } from 'kysely';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '../database.ts';
import { COUNT_CHANGE_BODY } from '../migrations/several-machines.ts';
import { describeUrl } from './refusals.ts';

/**
 * What takes part in reads and writes without being a table of ours. A dump can bring any of it along, and it could
 * make of a write whatever it likes. Extensions bring objects of their own, which touch nothing of ours.
 */
const findForeignObjects = async (database: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    with here as (select oid from pg_namespace where nspname = current_schema()),
    found (catalog, oid, name) as (
      select 'pg_trigger'::regclass, t.oid, 'trigger ' || tgname from pg_trigger t
        join pg_class c on c.oid = tgrelid left join pg_proc p on p.oid = tgfoid
        where relnamespace = (table here) and not tgisinternal
        and (proname <> 'count_change' or tgqual is not null or tgtype & 1 = 1)
      union all select 'pg_rewrite'::regclass, r.oid, 'rule ' || rulename from pg_rewrite r
        join pg_class c on c.oid = ev_class where relnamespace = (table here) and relkind = 'r'
      union all select 'pg_policy'::regclass, p.oid, 'policy ' || polname from pg_policy p
        join pg_class c on c.oid = polrelid where relnamespace = (table here)
      union all select 'pg_class'::regclass, oid, 'view ' || relname from pg_class
        where relnamespace = (table here) and relkind in ('v', 'm', 'f')
      union all select 'pg_proc'::regclass, oid, 'function ' || proname from pg_proc
        where pronamespace = (table here)
        and (proname <> 'count_change' or btrim(prosrc) <> btrim(${COUNT_CHANGE_BODY}) or prosecdef)
    )
    select name from found where not exists
      (select from pg_depend where classid = catalog and objid = found.oid and deptype = 'e')
    order by name limit 5`.execute(database);
  return rows.map(({ name }) => name);
};

export const refuseForeignObjects = async (database: Database, url: string): Promise<void> => {
  const found = await findForeignObjects(database);
  if (found.length > 0)
    throw new OperatorError(
      EXIT.databaseCorrupt,
      `The PostgreSQL database ${describeUrl(url)} has what is not ours (${found.join(', ')})`,
      'drop it if you know what it does, or restore another backup.',
    );
};
