import { SCHEMA_VERSION } from '#server/storage/migrations.ts';
import type { RunWithoutSettings } from '../command.ts';

export const showVersion: RunWithoutSettings = async ({ version, commit: readCommit }) => {
  return {
    lines: [
      `Whoflake  ${version}`,
      `Commit    ${readCommit() ?? 'unknown'}`,
      `Node      ${process.version}`,
      `Schema    ${SCHEMA_VERSION}`,
    ],
  };
};
