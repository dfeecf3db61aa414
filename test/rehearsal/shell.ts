import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A bash as an operator has it open: what one block sets up is there for the next. */
export type Shell = {
  /** Resolves with what it printed. Rejects if a command of it fails. */
  readonly run: (block: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

const DONE = 'block-is-done';

export const openShell = (cwd: string, path: string): Shell => {
  const bash = spawn('bash', [], {
    cwd,
    env: { ...process.env, PATH: path },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  bash.stdin.write('set -euo pipefail\n');
  bash.stdout.setEncoding('utf8');
  return {
    run: async (block) => {
      let output = '';
      const ended = once(bash, 'exit').then(() => {
        throw new Error(`A command failed in:\n${block}\nAfter it had printed:\n${output}`);
      });
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
      const result = await Promise.race([done, ended]);
      ended.catch(() => {});
      return result;
    },
    close: async () => {
      if (bash.exitCode !== null || bash.pid === undefined) return;
      // Whatever a block that failed has left running.
      bash.stdin.end('kill $(jobs -p) 2> /dev/null; exit 0\n');
      await once(bash, 'exit');
    },
  };
};
