import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { changeFiles, type Changes } from '#test/support/change-files.ts';
import { freePort } from '#test/support/free-port.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SCRIPT = join(ROOT, 'ops/upgrade.sh');
/** `npm` that installs nothing, and `npx` that takes what `npm test` has built; the repository has it in `built`. */
const NPM = '[ "$1" != ci ] || [ ! -e "$BROKEN_NPM" ]';
const NPX = 'case "$*" in *--ssr*) ;; *) mv built dist ;; esac';

/** Time goes by ten times as fast. */
const SLEEP = 'exec /bin/sleep "$(awk "BEGIN { print $1 / 10 }")"';

/** The part of systemd that `ops/upgrade.sh` needs: a service that counts as started once it listens, and is not restarted. */
export const SYSTEMCTL = `pid() { cat "$HOME/pid" 2>/dev/null || echo 0; }
alive() { [ "$(pid)" != 0 ] && kill -0 "$(pid)" 2>/dev/null; }
stop() { if alive; then kill "$(pid)"; while alive; do /bin/sleep 0.05; done; fi; echo 0 > "$HOME/pid"; }
case $1 in
  show) if alive; then pid; else echo 0; fi ;;
  stop) stop ;;
  restart)
    stop
    cd "$WHOFLAKE_HOME/current"
    : > "$HOME/log"
    setsid node bin/whoflake > "$HOME/log" 2>&1 < /dev/null 9>&- &
    echo $! > "$HOME/pid"
    until grep -q '"event":"listening"' "$HOME/log"; do alive || exit 1; /bin/sleep 0.05; done ;;
esac`;

export const MIGRATE = 'src/server/storage/migrate.ts';
export const withMigration = (text: string): string =>
  text.replace(
    /\n\}\];(?=\n\/\/ src\/server\/storage\/migrate\.ts\n)/,
    '\n}, { name: "notes", up: (db) => db.schema.createTable("note").addColumn("id", "integer").execute() }];',
  );
export const MAIN = 'built/server/main.js';
export const breakingStart = (text: string): string =>
  text.replace('await app.start();', "throw new Error('broken on purpose');");

/** What a run comes to: its status, and words that it says. */
export const ends = (status: number, words: string | RegExp) => ({
  status,
  said: typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words),
});

/** A machine with git, a server under something like systemd, and a repository that releases come from. */
export const createReleaseMachine = async (more: Readonly<Record<string, string>> = {}) => {
  const folder = temporaryFolder();
  const at = (path: string): string => join(folder.path, path);
  for (const name of ['bin', 'whoflake', 'repository', 'units']) mkdirSync(at(name));
  for (const [name, script] of Object.entries({ npm: NPM, npx: NPX, sleep: SLEEP, systemctl: SYSTEMCTL }))
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const ports = { PORT: await freePort(), ADMIN_PORT: await freePort(), SANDBOX_PORT: await freePort() };
  const settings = { ...ports, STOP_DELAY_SECONDS: 0, DATA_DIR: at('data'), ...more };
  writeFileSync(
    at('site.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const env = {
    PATH: `${at('bin')}:${dirname(process.execPath)}:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: folder.path,
    WHOFLAKE_ENV_FILE: at('site.env'),
    WHOFLAKE_HOME: at('whoflake'),
    WHOFLAKE_USER: userInfo().username,
    WHOFLAKE_BACKUPS: at('backups'),
    WHOFLAKE_UNITS: at('units'),
    BROKEN_NPM: at('npm-is-broken'),
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: at('repository'),
      env,
      encoding: 'utf8',
    });
  const run = (program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder.path,
      env: { ...env, ...more },
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };
  git('init', '--quiet', '--initial-branch=main');
  const parts = { bin: 'bin', ops: 'ops', 'package.json': 'package.json', dist: 'built' };
  for (const [from, to] of Object.entries(parts))
    cpSync(join(ROOT, from), at(`repository/${to}`), { recursive: true });

  return {
    at,
    git,
    /** Makes a version of what is in the repository's folder, with `changes` to its files. */
    release: (version: string, changes: Changes = {}): void => {
      changeFiles(at('repository'), changes);
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', `--message=${version}`);
      git('tag', version);
    },
    builtFrom: (source: string): string => {
      const found = readdirSync(at('repository/built/server')).find(
        (name) =>
          name.endsWith('.js') &&
          readFileSync(at(`repository/built/server/${name}`), 'utf8').includes(`// ${source}\n`),
      );
      return `built/server/${found}`;
    },
    cloneSource: () => run('git', ['clone', '--quiet', at('repository'), at('whoflake/source')]),
    upgrade: (...args: readonly string[]) => run(SCRIPT, args),
    upgradeSigned: (...args: readonly string[]) => run(SCRIPT, args, { WHOFLAKE_VERIFY: 'yes' }),
    ops: (...args: readonly string[]) => run(at('whoflake/current/bin/ops'), args),
    systemctl: (...args: readonly string[]) => run(at('bin/systemctl'), args),
    current: (): string => readlinkSync(at('whoflake/current')),
    running: (): string =>
      readlinkSync(`/proc/${readFileSync(at('pid'), 'utf8').trim()}/cwd`)
        .split('/')
        .at(-1) ?? '',
    [Symbol.dispose]: () => {
      run(at('bin/systemctl'), ['stop']);
      rmSync(at('whoflake'), { recursive: true, force: true });
      folder[Symbol.dispose]();
    },
  };
};
