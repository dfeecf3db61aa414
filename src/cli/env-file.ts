import { existsSync } from 'node:fs';
import { settingsFileOf, type Environment } from '#server/setting-reader.ts';
import { envFileIn } from './usage/arguments.ts';

/** Of our systemd unit. */
const UNIT_FILE = '/etc/whoflake/whoflake.env';

/** The one that was named, else the installed server's, if neither the environment nor the clone has settings of its own. */
export const settingsFile = (argv: readonly string[], env: Environment): string | undefined =>
  envFileIn(argv) ?? settingsFileOf(env) ?? (existsSync(UNIT_FILE) ? UNIT_FILE : undefined);
