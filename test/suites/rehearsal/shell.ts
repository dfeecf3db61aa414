import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { withLimit } from './checks.ts';

/** A bash as an operator has it open: what one block sets up is there for the next. */
export type Shell = {
  /** Resolves with what it printed. Rejects if a command of it fails, or does not come to an end. */
  readonly run: (block: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

const DONE = 'block-is-done';
const BLOCK_MINUTES = 15;

export const openShell = (options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>): Shell => {
  // In a group of its own, so that nothing of it outlives it.
  const bash = spawn('bash', [], { ...options, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(bash, 'exit');
  bash.stdin.on('error', () => {}).write('set -euo pipefail\n');
  bash.stdout.setEncoding('utf8');
  return {
    run: async (block) => {
      let output = '';
      const ended = exited.then(() => {
        throw new Error(`A command failed in:\n${block}\nAfter it had printed:\n${output}`);
      });
      ended.catch(() => {});
      const done = new Promise<string>((resolve) => {
        const read = (text: string): void => {
          output += text;
          if (!output.includes(DONE)) return;
          bash.stdout.off('data', read);
          resolve(output.replace(DONE, '').trim());
        };
        bash.stdout.on('data', read);
      });
      // With an input of its own, or a program might read the commands that come after it.
      bash.stdin.write(`{\n${block}\n} < /dev/null\necho ${DONE}\n`);
      return withLimit(BLOCK_MINUTES, block, Promise.race([done, ended]));
    },
    close: async () => {
      try {
        process.kill(-(bash.pid ?? 0), 'SIGKILL');
      } catch {
        // All of it has ended already.
      }
      await exited;
    },
  };
};
