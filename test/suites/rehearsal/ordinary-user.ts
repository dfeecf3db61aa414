import { execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { registrySettings } from './bare-root.ts';
import { withLimit } from './checks.ts';

const CLONE = join(import.meta.dirname, '../../..');
/** Where Debian keeps certificates that were added by hand. */
const TRUSTED = '/usr/local/share/ca-certificates';
const NOBODY = 65_534;

const namesIn = (path: string): string[] => (existsSync(path) ? readdirSync(path).toSorted() : []);

/** Root becomes the user nobody; any other user stays the same. Both get a new home with a clone. */
export const createOrdinaryUser = (programs: readonly string[]) => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  const isRoot = process.getuid?.() === 0;
  for (const name of ['bin', 'home', 'tmp']) mkdirSync(at(name));
  // Copies, because the user nobody may not be able to read ours.
  for (const program of programs) copyFileSync(program, join(at('bin'), program.split('/').at(-1) ?? ''));
  execFileSync('git', ['clone', '--quiet', CLONE, at('home/whoflake')]);
  if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder.path]);

  const list = () => ({ home: namesIn(at('home')), tmp: namesIn(at('tmp')), trusted: namesIn(TRUSTED) });
  const processes = (): string[] =>
    readdirSync('/proc').filter((name) => {
      try {
        return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(folder.path);
      } catch {
        return false;
      }
    });
  const before = list();

  return {
    clone: at('home/whoflake'),
    ids: isRoot ? { uid: NOBODY, gid: NOBODY } : {},
    env: {
      ...registrySettings(),
      PATH: `${at('bin')}:/usr/local/bin:/usr/bin:/bin`,
      HOME: at('home'),
      TMPDIR: at('tmp'),
    },
    /** What is there now that was not there before, npm's own cache excepted: paths and processes. */
    leftovers: (): string[] => {
      const now = list();
      const added = (Object.keys(now) as (keyof typeof now)[]).flatMap((where) =>
        now[where].filter((name) => !before[where].includes(name)).map((name) => `${where}/${name}`),
      );
      return [...added.filter((path) => path !== 'home/.npm'), ...processes().map((pid) => `process ${pid}`)];
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
};

const DONE = 'block-is-done';
const BLOCK_MINUTES = 15;

/** A bash as an operator has it open: what one block sets up is there for the next. */
export const openShell = (options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>) => {
  // In a group of its own, so that nothing of it outlives it.
  const bash = spawn('bash', { ...options, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(bash, 'exit');
  bash.stdin.on('error', () => {}).write('set -euo pipefail\n');
  bash.stdout.setEncoding('utf8');
  return {
    /** Resolves with what it printed. Rejects if a command of it fails, or does not come to an end. */
    run: async (block: string): Promise<string> => {
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
