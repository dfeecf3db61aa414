import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '#test/support/debian-program.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { systemctl } from '../systemctl.ts';

const TOOLS = join(import.meta.dirname, '../../../.tools');
const BASE = join(TOOLS, 'debian');
const DEBOOTSTRAP = findProgram('usr/sbin/debootstrap');

/** It needs to mount and to change its root. */
export const canBootstrap =
  DEBOOTSTRAP !== null && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;

/** A Debian with what every Debian has, once for all runs. */
const bootstrap = (): void => {
  if (existsSync(BASE)) return;
  rmSync(`${BASE}.part`, { recursive: true, force: true });
  const targets = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI) $(CODENAME)']);
  const [, mirror = '', suite = ''] = /^(\S+) ([a-z]+)$/m.exec(targets.toString()) ?? [];
  const env = { ...process.env, DEBOOTSTRAP_DIR: join(DEBOOTSTRAP ?? '', '../../share/debootstrap') };
  execFileSync('sh', [DEBOOTSTRAP ?? '', '--variant=minbase', suite, `${BASE}.part`, mirror], {
    env,
    stdio: 'ignore',
  });
  renameSync(`${BASE}.part`, BASE);
};

/** It only ends what hangs. */
const PATIENCE_MS = 120_000;

const START =
  'cd /opt/whoflake/current && exec setsid setpriv --reuid=whoflake --regid=whoflake --init-groups env WHOFLAKE_ENV_FILE=/etc/whoflake/whoflake.env bin/node bin/whoflake';

/** An empty Debian in a mount and process namespace of its own, on the network of this machine. */
export const createDebianMachine = async () => {
  bootstrap();
  const folder = temporaryFolder();
  const at = (path: string): string => join(folder.path, path);
  const root = at('memory/root');
  mkdirSync(at('memory'));
  const setUp = [
    `mount -t tmpfs tmpfs ${at('memory')}`,
    `mkdir ${at('memory/upper')} ${at('memory/work')} ${root}`,
    `mount -t overlay overlay -o lowerdir=${BASE},upperdir=${at('memory/upper')},workdir=${at('memory/work')} ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    'echo ready',
    // The first process of a namespace inherits what ended without a parent.
    'while sleep 0.2; do :; done',
  ].join(' && ');
  const options = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', setUp];
  const namespace = spawn('unshare', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(namespace.stdout, 'data');
  const outside = `/proc/${namespace.pid}`;
  const enter = [`--mount=${outside}/ns/mnt`, `--pid=${outside}/ns/pid_for_children`, 'chroot', root];
  const env = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    DEBIAN_FRONTEND: 'noninteractive',
    LC_ALL: 'C',
  };
  /** What is typed by root, whose shell lets nobody else read. */
  const words = (line: string): string[] => [...enter, 'sh', '-c', `umask 077; ${line}`];
  const type = (line: string, input = '') => {
    const { status, stdout, stderr } = spawnSync('nsenter', words(line), {
      env,
      input,
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    });
    // apt gives its programs a terminal.
    return { status, said: (stdout + stderr).replaceAll('\r', '') };
  };
  const write = (path: string, text: string): void => void type(`cat > ${path}`, text);
  write('/usr/bin/systemctl', systemctl(START, '/run'));
  type('chmod 755 /usr/bin/systemctl; mkdir -p /run/systemd/system; printf x > /etc/machine-id');
  return {
    type,
    write,
    /** A file of this machine, seen there. */
    bring: (file: string): void => {
      type(`touch /root/${file.split('/').at(-1)}`);
      execFileSync('nsenter', [enter[0] ?? '', 'cp', file, join(root, 'root')]);
    },
    start: (line: string) => spawn('nsenter', words(line), { env, stdio: 'ignore' }),
    [Symbol.asyncDispose]: async () => {
      const ended = once(namespace, 'close');
      namespace.kill('SIGKILL');
      await ended;
      folder[Symbol.dispose]();
    },
  };
};
