import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import manifest from '#package.json' with { type: 'json' };
import { changeFiles } from '#test/support/change-files.ts';
import { freePort } from '#test/support/free-port.ts';
import { systemctlStandIn } from '#test/support/systemctl-stand-in.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { inRoot, makeDebian, registrySettings, whyNoBareRoot } from './bare-root.ts';
import { demand, quote, say, type Rehearsal } from './checks.ts';
import { openShell } from './ordinary-user.ts';

const CLONE = join(import.meta.dirname, '../../..');
const NEXT = '9.0.0';
const AS_WHOFLAKE = 'setpriv --reuid=whoflake --regid=whoflake --clear-groups';

/** What is published of this version, and of one after it that is the same but for its name. */
const makeTarballs = (clone: string, downloads: string): void => {
  const env = { ...process.env, ...registrySettings() };
  const run = (program: string, ...args: readonly string[]): void =>
    quote(execFileSync(program, args, { cwd: clone, env, encoding: 'utf8' }));
  execFileSync('git', ['clone', '--quiet', CLONE, clone]);
  run('npm', 'run', '--silent', 'release', '--', '--into', join(downloads, 'this'));
  changeFiles(clone, {
    'package.json': (text) => text.replace(`"version": "${manifest.version}"`, `"version": "${NEXT}"`),
    'CHANGELOG.md': (text) => text.replace('## Unreleased', `## ${NEXT} - 2030-01-01`),
  });
  const author = ['-c', 'user.name=rehearsal', '-c', 'user.email=rehearsal@localhost'];
  run('git', ...author, 'commit', '--quiet', '--all', '--message=the next version');
  run('npm', 'run', '--silent', 'release', '--', '--into', join(downloads, 'next'));
};

const settingsOf = (port: number, adminPort: number, sandboxPort: number): string =>
  `PORT=${port}\nADMIN_PORT=${adminPort}\nPLATFORM_ADDRESS=${sandboxPort}
DATA_DIR=/var/lib/whoflake\nKEYRING_FILE=/var/lib/whoflake-keys/keyring.json\n`;

/** Debian with Node and nothing else: no npm, no git. It has no systemd either, so that has a stand-in. */
const makeMachine = (root: string, settings: string): void => {
  makeDebian(root, ['libatomic1']);
  copyFileSync(process.execPath, join(root, 'usr/bin/node'));
  writeFileSync(join(root, 'usr/local/bin/systemctl'), systemctlStandIn(AS_WHOFLAKE), { mode: 0o755 });
  writeFileSync(join(root, 'root/site.env'), settings);
};

const INSTALL = `
useradd --system --home-dir /var/lib/whoflake --shell /usr/sbin/nologin whoflake
install -d -o whoflake -m 700 /var/lib/whoflake /var/lib/whoflake-keys
install -d /etc/whoflake
install -m 640 -g whoflake /root/site.env /etc/whoflake/whoflake.env
cd /root/this
tar -xzf whoflake-${manifest.version}.tar.gz
install -d /opt/whoflake
whoflake-${manifest.version}/ops/upgrade.sh whoflake-${manifest.version}.tar.gz
ln -s /opt/whoflake/current/bin/ops /usr/local/bin/ops
systemctl restart whoflake
runuser -u whoflake -- ops optout add 80351110224678912`;

const UPGRADE = `/opt/whoflake/current/ops/upgrade.sh whoflake-${NEXT}.tar.gz`;
const DAMAGED = `
cp -r /root/next /root/damaged && cd /root/damaged && truncate --size=-1 whoflake-${NEXT}.tar.gz
if ${UPGRADE} 2>&1; then exit 1; fi`;
const LOOK = `
readlink /opt/whoflake/current
runuser -u whoflake -- ops status --json | node -p 'JSON.parse(require("fs").readFileSync(0)).server.version'
runuser -u whoflake -- ops optout list | tail -1`;

const demandPage = async (port: number): Promise<void> => {
  const ask = async (path: string) => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`);
    return { statusCode, text: await body.text() };
  };
  demand('/healthz says ok', (await ask('/healthz')).text.trim() === 'ok');
  const { statusCode, text } = await ask('/');
  demand('the page is there', statusCode === 200 && text.includes('<h1'));
  const [script = '/nowhere'] = /\/assets\/[\w-]+\.js/.exec(text) ?? [];
  demand(`and its script, ${script}`, (await ask(script)).statusCode === 200);
};

const rehearse = async (): Promise<void> => {
  using folder = temporaryFolder();
  const root = join(folder.path, 'root');
  const port = await freePort();
  say('Making two tarballs…');
  makeTarballs(join(folder.path, 'clone'), folder.path);
  say('Making a bare machine…');
  makeMachine(root, settingsOf(port, await freePort(), await freePort()));
  for (const name of ['this', 'next'])
    cpSync(join(folder.path, name), join(root, 'root', name), { recursive: true });
  const env = {
    PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    WHOFLAKE_HOME: '/opt/whoflake',
    WHOFLAKE_ENV_FILE: '/etc/whoflake/whoflake.env',
  };
  const shell = openShell({ env }, ['unshare', ...inRoot(root, '/root'), 'bash']);
  const type = async (block: string): Promise<string> => {
    say(block.trim().replaceAll(/^/gm, '# '));
    const output = await shell.run(block);
    quote(output);
    return output;
  };
  const demandVersion = async (version: string): Promise<void> => {
    const found = await type(LOOK);
    demand(`${version} runs`, found.startsWith(`releases/v${version}\n${version}\n1 `));
    await demandPage(port);
  };
  try {
    demand('there is no npm and no git', (await type('command -v npm git || echo none')) === 'none');
    await type(INSTALL);
    await demandVersion(manifest.version);
    demand('a damaged one is refused', (await type(DAMAGED)).includes('nothing was changed.'));
    await demandVersion(manifest.version);
    await type(`cd /root/next\n${UPGRADE}`);
    await demandVersion(NEXT);
    await type('/opt/whoflake/current/ops/upgrade.sh --rollback');
    await demandVersion(manifest.version);
  } finally {
    await shell.close();
  }
};

export const tarballMachine: Rehearsal = {
  name: 'the tarball, on a bare machine that has only Node',
  whyNot: whyNoBareRoot,
  rehearse,
};
