import { SCHEMA_VERSIONS } from '#server/storage/migrate.ts';
import type { DescribeProgram } from '../command.ts';

export const showVersion: DescribeProgram = (_commands, _input, { version, commit }) => {
  const { sqlite, postgres } = SCHEMA_VERSIONS;
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
