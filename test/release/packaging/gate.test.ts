import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/test.mjs');
const PROGRAMS = ['oxfmt', 'oxlint', 'tsc', 'knip', 'node', 'vitest', 'playwright'];

/** Runs the gate with programs that print megabytes, and reads what it prints a little at a time. */
const runGate = async (failing: readonly string[]) => {
  using folder = temporaryFolder();
  for (const program of PROGRAMS) {
    const script = `#!/bin/sh
head -c 2000000 /dev/zero | tr '\\0' x
echo "end of ${program}"
exit ${failing.includes(program) ? 1 : 0}
`;
    writeFileSync(join(folder.path, program), script, { mode: 0o755 });
  }
  const gate = spawn(process.execPath, [SCRIPT], {
    env: { PATH: `${folder.path}:/usr/bin:/bin`, CHROMIUM_PATH: '/bin/true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(gate, 'exit');
  gate.stdout.setEncoding('utf8');
  let output = '';
  for await (const part of gate.stdout) {
    output += String(part).replaceAll(/x+/g, 'x');
    await nextTurn();
  }
  const [status] = (await ended) as [number];
  return { output, status };
};

it('the gate prints everything to a reader that is slower than it, also what failed', async () => {
  const { output, status } = await runGate(['oxlint', 'playwright']);
  for (const program of PROGRAMS) expect(output).toContain(`end of ${program}`);
  expect(output).toMatch(/FAILED lint\nx+end of oxlint/);
  expect(output.trimEnd().split('\n').at(-1)).toBe('7 passed, 2 failed');
  expect(status).toBe(1);
});
