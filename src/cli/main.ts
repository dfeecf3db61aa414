import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '#server/read-settings.ts';
import { pauseOnThisMachine, systemOfThisMachine } from '#server/system.ts';
import { run } from './run.ts';
import { createTerminal } from './terminal.ts';

const packageFile = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');

const { stdout, stderr, exitCode } = await run({
  argv: process.argv.slice(2),
  readSettings: () => readSettings(process.env),
  system: systemOfThisMachine,
  pause: pauseOnThisMachine,
  terminal: createTerminal(process),
  version: (JSON.parse(packageFile) as { version: string }).version,
});
process.stdout.write(stdout);
process.stderr.write(stderr);
// Not exit(): that would cut off what a slow reader of a pipe has not taken yet.
process.exitCode = exitCode;
