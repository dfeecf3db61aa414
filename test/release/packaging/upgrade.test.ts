// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '#package.json' with { type: 'json' };
import { freePort } from '#test/support/free-port.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { SYSTEMCTL } from '../systemctl.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** A machine with a server under something like systemd, and releases as `npm run release` makes them. */
const createMachine = async () => {
  const folder = temporaryFolder();
  const at = (path: string): string => join(folder.path, path);
  for (const name of ['bin', 'whoflake', 'units', 'downloads']) mkdirSync(at(name));
  writeFileSync(at('bin/systemctl'), SYSTEMCTL, { mode: 0o755 });
  const ports = { PORT: await freePort(), ADMIN_PORT: await freePort() };
  const settings = Object.entries({ ...ports, DATA_DIR: at('data') });
  writeFileSync(at('site.env'), settings.map(([name, value]) => `${name}=${value}\n`).join(''));
  const env = {
    PATH: `${at('bin')}:${dirname(process.execPath)}:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: folder.path,
    WHOFLAKE_ENV_FILE: at('site.env'),
    WHOFLAKE_HOME: at('whoflake'),
    WHOFLAKE_USER: userInfo().username,
    WHOFLAKE_BACKUPS: at('backups'),
    WHOFLAKE_UNITS: at('units'),
  };
  const run = (program: string, args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder.path, env, encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };
  return {
    at,
    pack: (version: string, change: (release: string) => void = () => {}): void => {
      const release = at(`downloads/whoflake-${version}`);
      for (const part of ['bin', 'ops', 'dist'])
        cpSync(join(ROOT, part), join(release, part), { recursive: true });
      writeFileSync(join(release, 'package.json'), JSON.stringify({ ...manifest, version }));
      change(release);
      const options = { cwd: at('downloads') };
      execFileSync('tar', ['-czf', `${release}.tar.gz`, basename(release)], options);
      rmSync(release, { recursive: true });
      writeFileSync(at('downloads/SHA256SUMS'), execFileSync('sh', ['-c', 'sha256sum *.tar.gz'], options));
    },
    upgrade: (version: string) =>
      run(join(ROOT, 'ops/upgrade.sh'), [at(`downloads/whoflake-${version}.tar.gz`)]),
    rollBack: (...args: readonly string[]) => run(join(ROOT, 'ops/upgrade.sh'), ['--rollback', ...args]),
    ops: (...args: readonly string[]) => run(at('whoflake/current/bin/ops'), args),
    systemctl: (...args: readonly string[]) => run(at('bin/systemctl'), args),
    /** The release that is installed, the one that runs, and what was added to the database with it. */
    state: () => {
      const { said } = run(at('whoflake/current/bin/ops'), ['status', '--json']);
      const running = readlinkSync(`/proc/${readFileSync(at('pid'), 'utf8').trim()}/cwd`);
      const { records } = JSON.parse(said) as { records: { opt_out_count: number } };
      return [readlinkSync(at('whoflake/current')), basename(running), records.opt_out_count];
    },
    [Symbol.dispose]: () => {
      run(at('bin/systemctl'), ['stop']);
      folder[Symbol.dispose]();
    },
  };
};

describe.runIf(process.platform === 'linux')('ops/upgrade.sh', { timeout: 600_000 }, () => {
  let machine: Awaited<ReturnType<typeof createMachine>>;
  beforeAll(async () => {
    machine = await createMachine();
    machine.pack('1.0.0');
  });
  afterAll(() => machine?.[Symbol.dispose]());

  it('upgrade.sh installs a first release and starts nothing, then changes over to the next with a backup', () => {
    expect(machine.rollBack()).toEqual({ status: 1, said: 'Nothing is installed yet.\n' });
    expect(machine.upgrade('1.0.0')).toEqual({
      status: 0,
      said: 'Unpacking v1.0.0…\nv1.0.0 is installed. Nothing is running yet.\n',
    });
    expect(machine.systemctl('restart').status).toBe(0);
    expect(machine.ops('optout', 'add', '80351110224678912').status).toBe(0);
    machine.pack('1.1.0');
    const { status, said } = machine.upgrade('1.1.0');
    expect([status, said]).toEqual([0, expect.stringContaining('v1.1.0 runs. Back to v1.0.0: ')]);
    expect(machine.state()).toEqual(['releases/v1.1.0', 'v1.1.0', 1]);
    expect(readdirSync(machine.at('backups'))).toEqual([expect.stringMatching(/^before-v1\.1\.0-/)]);
  });

  it('upgrade.sh changes nothing if the tarball is missing, is not what was published, or is no release', () => {
    machine.pack('1.3.0', (release) => writeFileSync(join(release, 'package.json'), '{"version":"9"}'));
    machine.pack('1.4.0');
    writeFileSync(machine.at('downloads/whoflake-1.4.0.tar.gz'), 'junk');
    writeFileSync(machine.at('downloads/whoflake-1.5.0.tar.gz'), 'unknown');
    for (const [version, sentence] of [
      ['1.2.0', 'There is no file'],
      ['1.3.0', 'whoflake-1.3.0.tar.gz is not a release of Whoflake'],
      ['1.4.0', 'whoflake-1.4.0.tar.gz does not have the checksum that'],
      ['1.5.0', 'has no checksum of whoflake-1.5.0.tar.gz'],
    ] as const) {
      const { status, said } = machine.upgrade(version);
      expect([status, said]).toEqual([
        1,
        expect.stringMatching(`${RegExp.escape(sentence)}.*: nothing was changed`),
      ]);
    }
    expect(machine.state()).toEqual(['releases/v1.1.0', 'v1.1.0', 1]);
    expect(readdirSync(machine.at('whoflake/releases'))).toEqual(['v1.0.0', 'v1.1.0']);
  });

  it('upgrade.sh goes back by itself if a release does not become ready', () => {
    machine.pack('1.6.0', (release) =>
      writeFileSync(join(release, 'dist/server/main.js'), 'process.exit(1)'),
    );
    const { status, said } = machine.upgrade('1.6.0');
    expect([status, said]).toEqual([1, expect.stringContaining('v1.1.0 is running again')]);
    expect(machine.state()).toEqual(['releases/v1.1.0', 'v1.1.0', 1]);
  });

  it('upgrade.sh --rollback goes back, over a database that only the newer release can read if it is told to', () => {
    expect(machine.ops('optout', 'add', '80351110224678913').status).toBe(0);
    using database = new DatabaseSync(machine.at('data/whoflake.sqlite'));
    database.exec("insert into schema_migration values (999, 'of v1.1.0')");
    expect(machine.rollBack()).toEqual({ status: 1, said: expect.stringContaining('With --with-database') });
    const { status, said } = machine.rollBack('--with-database');
    expect([status, said]).toEqual([0, expect.stringContaining('The database is restored from')]);
    expect(machine.state()).toEqual(['releases/v1.0.0', 'v1.0.0', 1]);
  });
});
