import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export type OpsEnd = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

export type OpsProcess = { readonly ended: Promise<OpsEnd>; readonly kill: () => void };

const MAIN = join(import.meta.dirname, '../../bin/ops');

/** A command as the operator runs it: the program as it was built. */
export const startOps = (
  argv: readonly string[],
  { env, input = '' }: { readonly env: Readonly<Record<string, string>>; readonly input?: string },
): OpsProcess => {
  const child = spawn(process.execPath, [MAIN, ...argv], { env, cwd: env['DATA_DIR'], stdio: 'pipe' });
  // A command that is refused ends without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [exitCode]]): OpsEnd => ({ exitCode: exitCode as number | null, stdout, stderr }),
  );
  return { ended, kill: () => child.kill('SIGKILL') };
};
