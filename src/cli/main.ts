import manifest from '#package.json' with { type: 'json' };
import { readSettings } from '#server/read-settings.ts';
import { sleepAwake, realSystem } from '#server/system.ts';
import { run } from './run.ts';
import { createTerminal } from './terminal.ts';

const { stdout, stderr, exitCode } = await run({
  argv: process.argv.slice(2),
  readSettings: () => readSettings(process.env),
  system: realSystem,
  pause: sleepAwake,
  terminal: createTerminal(process),
  version: manifest.version,
  uid: process.getuid?.(),
});
process.stdout.write(stdout);
process.stderr.write(stderr);
// Not exit(): that would cut off what a slow reader of a pipe has not taken yet.
process.exitCode = exitCode;
