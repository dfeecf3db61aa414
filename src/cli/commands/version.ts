import { SCHEMA_VERSIONS } from '#server/storage/migrate.ts';
import type { RunWithoutSettings } from '../command.ts';

export const showVersion: RunWithoutSettings = async ({ version, commit: readCommit }) => {
  const { sqlite, postgres } = SCHEMA_VERSIONS;
  const commit = readCommit();
  return {
    data: { version, commit, node: process.version, schema_version: { sqlite, postgres } },
    lines: [
      `Whoflake  ${version}`,
      `Commit    ${commit ?? 'unknown'}`,
      `Node      ${process.version}`,
      `Schema    ${sqlite} with SQLite, ${postgres} with PostgreSQL`,
    ],
  };
};
