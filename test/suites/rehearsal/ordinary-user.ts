import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { registrySettings } from './bare-root.ts';

const CLONE = join(import.meta.dirname, '../../..');
/** Where Debian keeps certificates that somebody has this machine trust. */
const TRUSTED = '/usr/local/share/ca-certificates';
const NOBODY = 65_534;

const namesIn = (path: string): string[] => (existsSync(path) ? readdirSync(path).toSorted() : []);

/** Root takes the place of nobody; anybody else stays who they are. Either gets a home of their own, with a clone. */
export const createOrdinaryUser = (programs: readonly string[]) => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  const isRoot = process.getuid?.() === 0;
  for (const name of ['bin', 'home', 'tmp']) mkdirSync(at(name));
  // A copy of each: what is ours may lie where nobody may look.
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
