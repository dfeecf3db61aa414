import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '#package.json' with { type: 'json' };
import { EXIT } from '#server/operator-error.ts';
import { settingsFileOf } from '#server/setting-reader.ts';
import { keepAliveSystem, sleep } from '#server/system.ts';
import { readCommit } from './commit.ts';
import { run } from './run.ts';
import { createTerminal } from './terminal.ts';
import { envFileIn } from './usage/arguments.ts';

const UNIT_FILE = '/etc/whoflake/whoflake.env';

// The reader of a pipe may stop early, as `head` does.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
  process.exit(code === 'EPIPE' ? 0 : EXIT.failed),
);

const argv = process.argv.slice(2);
const path =
  envFileIn(argv) ?? settingsFileOf(process.env) ?? (existsSync(UNIT_FILE) ? UNIT_FILE : undefined);
if (path !== undefined) process.env['WHOFLAKE_ENV_FILE'] = path;

const { stdout, stderr, exitCode } = await run({
  argv,
  readSettings: async () => (await import('#server/read-settings.ts')).readSettings(process.env),
  settingsSource: async () => {
    const { exposedFiles, readOperatorsFile } = await import('#server/read-settings.ts');
    const file = path === undefined ? null : { path: resolve(path), text: readOperatorsFile(path) };
    return { file, exposed: exposedFiles(process.env) };
  },
  system: keepAliveSystem,
  pause: (ms) => sleep(keepAliveSystem.clock, ms),
  terminal: createTerminal(process),
  version: manifest.version,
  commit: () => readCommit(join(import.meta.dirname, '../..')),
  program: process.env['npm_lifecycle_event'] === 'ops' ? 'npm run ops --' : 'ops',
  uid: process.getuid?.(),
});
process.stdout.write(stdout);
process.stderr.write(stderr);
// Not exit(): that would cut off what a slow reader of a pipe has not read yet.
process.exitCode = exitCode;
