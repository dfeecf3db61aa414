// @module-tag slow
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import manifest from '#package.json' with { type: 'json' };
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { askUntilTaken } from '#test/support/process-site.ts';
import { startSandboxProcess } from '#test/support/sandbox-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createVisitors } from '#test/suites/load/visitors.ts';
import { makeDebianPackage } from '../../../scripts/debian-package.ts';
import { canBootstrap, createDebianMachine } from './debian-machine.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SETTINGS = '/etc/whoflake/whoflake.env';
const INSTALL =
  'apt-get install --yes --no-install-recommends --allow-downgrades --option=Dpkg::Options::=--force-unsafe-io';

/** Packages as `npm run release` makes them, but for their versions and what `change` does to the tree. */
const createPackages = () => {
  const folder = temporaryFolder();
  return {
    make: (version: string, change: (tree: string) => void = () => {}): string => {
      const tree = join(folder.path, 'tree');
      for (const part of ['bin', 'ops', 'dist'])
        cpSync(join(ROOT, part), join(tree, part), { recursive: true });
      copyFileSync(process.execPath, join(tree, 'bin/node'));
      writeFileSync(join(tree, 'package.json'), JSON.stringify({ ...manifest, version }));
      change(tree);
      const release = { tree, version, platform: `linux-${process.arch}`, seconds: 1 };
      const name = makeDebianPackage(release, folder.path, 'none');
      rmSync(tree, { recursive: true });
      return join(folder.path, name);
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
};

it.runIf(canBootstrap)(
  'the three commands of README.md take an empty Debian to a first real profile',
  { timeout: 600_000 },
  async () => {
    using packages = createPackages();
    await using sandbox = await startSandboxProcess();
    const [token = ''] = await sandbox.mintTokens(1, 7);
    await using machine = await createDebianMachine();
    const page = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const [, commands = ''] = /^```sh\n(apt install [^`]*)\n```$/m.exec(page) ?? [];
    const [, version = ''] = /whoflake_(\S+)_amd64/.exec(commands) ?? [];
    machine.bring(packages.make(version));
    // In place of Discord, and of port 8080, which may be taken here.
    const [port, adminPort] = [await freePort(), await freePort()];
    const platform = { DISCORD_API_URL: `${sandbox.cdnUrl}/api/v10`, DISCORD_CDN_URL: sandbox.cdnUrl };
    const settings = { ...platform, PORT: port, ADMIN_PORT: adminPort, POW_MAX_NUMBER: 1_000 };
    const environment = Object.entries(settings).map(([name, value]) => `export ${name}=${value}; `);
    const startedMs = performance.now();
    for (const line of commands
      .replaceAll('amd64', process.arch === 'x64' ? 'amd64' : process.arch)
      .split('\n')) {
      const typed = line.replace('apt install', 'apt install --yes --no-install-recommends');
      const { status, said } = machine.type(`cd /root; ${environment.join('')}${typed}`, token);
      expect([line, status, status === 0 ? '' : said]).toEqual([line, 0, '']);
    }
    await using visitors = createVisitors(() => `http://127.0.0.1:${port}`);
    const { body } = await askUntilTaken(visitors, '/lookup', { discord_id: '441997505123577857' });
    expect(body['username']).toBe('marlow.finch');
    process.stdout.write(`To a first profile: ${Math.round((performance.now() - startedMs) / 1_000)} s\n`);
  },
);

describe.runIf(canBootstrap)('the Debian package', { timeout: 600_000 }, () => {
  const packages = createPackages();
  let machine: Awaited<ReturnType<typeof createDebianMachine>>;
  const type = (line: string) => machine.type(line);
  const succeed = (line: string): string => {
    const { status, said } = type(line);
    expect([line, status, status === 0 ? '' : said]).toEqual([line, 0, '']);
    return said;
  };
  const bring = (...made: Parameters<typeof packages.make>): string => {
    const file = packages.make(...made);
    machine.bring(file);
    rmSync(file);
    return `/root/${file.split('/').at(-1)}`;
  };
  /** What runs, what a start would run, and how much has been added to the database. */
  const state = () => {
    const versionIn = (path: string): string =>
      succeed(`sed -n 's/.*"version":"\\([^"]*\\)".*/\\1/p' ${path}/package.json`).trim();
    const { records } = JSON.parse(type('ops status --json').said) as { records: { opt_out_count: number } };
    return [
      versionIn('/proc/$(systemctl show --property=MainPID)/cwd'),
      versionIn('/opt/whoflake/current'),
      records.opt_out_count,
    ];
  };
  const FIRST = '1.0.0';
  const SECOND = '1.1.0-rc.1';
  const files: Record<string, string> = {};
  let runs = FIRST;
  /** Installs the other of the two versions. */
  const change = () => type(`${INSTALL} ${files[runs === FIRST ? SECOND : FIRST]}`);
  const expectChanged = (): void => {
    runs = runs === FIRST ? SECOND : FIRST;
    expect(state()).toEqual([runs, runs, 1]);
  };

  beforeAll(async () => {
    machine = await createDebianMachine();
    for (const version of [FIRST, SECOND]) files[version] = bring(version);
    const ports = { PORT: await freePort(), ADMIN_PORT: await freePort() };
    const settings = Object.entries({ ...ports, PLATFORM: 'discord' });
    machine.write('/root/settings', settings.map(([name, value]) => `${name}=${value}\n`).join(''));
  });
  afterAll(async () => {
    await machine?.[Symbol.asyncDispose]();
    packages[Symbol.dispose]();
  });

  it('apt install makes user, folders and settings, whatever root’s umask is, and starts nothing', () => {
    expect(succeed(`${INSTALL} ${files[FIRST]}`)).toContain('systemctl enable --now whoflake');
    expect(succeed(`stat -c '%a %U:%G' ${SETTINGS} /var/lib/whoflake-keys /opt/whoflake/current/`)).toBe(
      '640 root:whoflake\n700 whoflake:whoflake\n755 root:root\n',
    );
    expect(succeed('systemctl show --property=ActiveState')).toBe('inactive\n');
    succeed(`cat /root/settings >> ${SETTINGS} && ops config check && systemctl enable --now whoflake`);
    succeed('ops optout add 80351110224678912');
    expect(state()).toEqual([FIRST, FIRST, 1]);
  });

  it('an upgrade changes over with a verified backup', () => {
    expect(change().status).toBe(0);
    expectChanged();
    const [backup] = succeed('ls /var/lib/whoflake-backups/*.sqlite').split('\n');
    expect(succeed(`ops backup --verify ${backup}`)).toContain('is good');
    expect(succeed('ls /opt/whoflake').split('\n')).toHaveLength(5);
  });

  it.each([
    ['wrong settings', `echo PORT=x >> ${SETTINGS}`, `sed -i '$d' ${SETTINGS}`, 'PORT'],
    [
      'no room for a backup',
      'mount -t tmpfs -o size=4k tmpfs /var/lib/whoflake-backups',
      'umount /var/lib/whoflake-backups',
      'no space|disk',
    ],
    [
      'records in PostgreSQL',
      `echo DATABASE_URL=postgres://a:b@127.0.0.1:1/c >> ${SETTINGS}`,
      `sed -i '$d' ${SETTINGS}`,
      'WHOFLAKE_BACKUP=done dpkg --configure whoflake',
    ],
  ])('an upgrade with %s switches nothing, says what to do, and then goes on', (_what, spoil, mend, says) => {
    succeed(spoil);
    const { status, said } = change();
    succeed(mend);
    expect([status, said]).toEqual([100, expect.stringMatching(RegExp(says, 'i'))]);
    expect(said).toContain('what ran before still runs');
    expect(state()).toEqual([runs, runs, 1]);
    succeed('dpkg --configure whoflake');
    expectChanged();
  });

  it('an upgrade for which the disk has no room leaves the installed version as it is', () => {
    succeed('fallocate -l $(($(df --output=avail -B1 / | tail -n 1) - 50000000)) /root/filler');
    const { status, said } = change();
    succeed('rm /root/filler');
    expect([status, said]).toEqual([100, expect.stringContaining('No space left on device')]);
    expect(state()).toEqual([runs, runs, 1]);
    expect(succeed("dpkg-query --show --showformat='${Status}' whoflake")).toBe('install ok installed');
  });

  it('dpkg that is killed while it unpacks or before the restart leaves a whole version, and goes on', async () => {
    const next = files[runs === FIRST ? SECOND : FIRST];
    machine.start(`dpkg --install ${next}`);
    await vi.waitFor(() => succeed('test -e /opt/whoflake/package/bin/node.dpkg-new'), EVENTUALLY);
    succeed('kill -9 $(pidof dpkg)');
    expect(state()).toEqual([runs, runs, 1]);
    machine.write('/run/on-restart', 'rm /run/on-restart; kill -9 $(pidof dpkg) $PPID; exit 1');
    expect(type(`dpkg --install ${next}`).status).not.toBe(0);
    expect(state()).toEqual([runs, runs === FIRST ? SECOND : FIRST, 1]);
    succeed('dpkg --configure whoflake');
    expectChanged();
  });

  it('if a version does not become ready, that which ran before runs again, and apt says how to stay with it', () => {
    const broken = bring('1.2.0', (tree) =>
      writeFileSync(join(tree, 'dist/server/main.js'), 'process.exit(1)'),
    );
    const { status, said } = type(`${INSTALL} ${broken}`);
    expect([status, said]).toEqual([100, expect.stringContaining('The version before runs again')]);
    expect(said).toContain('apt install --allow-downgrades');
    expect(state()).toEqual([runs, runs, 1]);
  });

  it('the older file is the way back, over a database that only the newer version can read too', () => {
    succeed('ops optout add 80351110224678913');
    machine.write(
      '/root/newer.mjs',
      "import { DatabaseSync } from 'node:sqlite'; new DatabaseSync('/var/lib/whoflake/whoflake.sqlite').exec(\"insert into schema_migration values (999, 'of a newer one')\");",
    );
    succeed('/opt/whoflake/current/bin/node /root/newer.mjs');
    const { status, said } = type(`${INSTALL} ${files[FIRST]}`);
    expect([status, said]).toEqual([100, expect.stringContaining('written by a newer version')]);
    const [, commands = ''] = /from before that one:\n((?: {2}.*\n)+)/.exec(said) ?? [];
    const [stop, configure, restore, start] = commands.trim().split('\n');
    succeed(`${stop}; ${configure}`);
    const newest = succeed('ls -t /var/lib/whoflake-backups/*.sqlite').split('\n')[0] ?? '';
    succeed(`${restore?.replace(/\S+$/, newest)} --yes; ${start}`);
    expect(state()).toEqual([FIRST, FIRST, 1]);
  });

  it('apt remove keeps the data, and apt purge deletes everything, asks nothing and says what it deletes', () => {
    expect(succeed('apt-get remove --yes whoflake')).toContain('Kept: /etc/whoflake');
    expect(succeed('systemctl show --property=ActiveState')).toBe('inactive\n');
    expect(type('ls /opt/whoflake').status).toBe(2);
    succeed(`${INSTALL} ${files[SECOND]} && systemctl enable --now whoflake`);
    expect(state()).toEqual([SECOND, SECOND, 1]);
    expect(succeed('apt-get purge --yes whoflake')).toMatch(/(?:Deleting \S*whoflake\S*\n){4}/);
    const left =
      'find / -xdev -not -path "/proc/*" -name "*whoflake*" -not -name "*.deb" -not -path "/root/*"';
    expect(succeed(left).replaceAll(/^\/(?:var\/(?:log|cache)|tmp)\/.*\n/gm, '')).toBe('');
    expect(type('id whoflake').status).toBe(1);
  });
});
