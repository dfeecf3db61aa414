import { SCHEMA_VERSION } from '#server/storage/migrations.ts';
import type { RunWithoutSettings } from '../command.ts';

export const showVersion: RunWithoutSettings = async ({ version, commit: readCommit }) => {
  const commit = readCommit();
  return {
    data: { version, commit, node: process.version, schema_version: SCHEMA_VERSION },
    lines: [
      `Whoflake  ${version}`,
      `Commit    ${commit ?? 'unknown'}`,
      `Node      ${process.version}`,
      `Schema    ${SCHEMA_VERSION}`,
    ],
  };
};
