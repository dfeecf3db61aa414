import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** Few, because visitors are served from memory. Kept apart, so that none starves another. */
export const CONNECTIONS = { records: 5, leases: 4, proofs: 2 };

export const CONNECTIONS_OF_SERVER = CONNECTIONS.records + CONNECTIONS.leases + CONNECTIONS.proofs;

export const mostConnections = async (database: Database): Promise<number> => {
  const { rows } = await sql<{ most: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`.execute(
    database,
  );
  return rows[0]?.most ?? 0;
};
