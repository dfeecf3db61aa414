import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { addNode, makeDebian, whyNoBareRoot, whyNoProgram, writeNpmSettings } from './bare-root.ts';
import { NSPAWN } from './booted-machine.ts';
import { demand, quote, say, until, withLimit, type Rehearsal } from './checks.ts';

const BUILDAH = '/usr/bin/buildah';
const CLONE = join(import.meta.dirname, '../../..');
const BASE = 'localhost/whoflake-base';

/** An image that is mounted in a folder, with its own description. */
type BuiltImage = DockerConfig & { readonly root: string };

type DockerConfig = {
  readonly User: string;
  readonly WorkingDir: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly StopSignal: string;
};

/** Builds the Dockerfile of what is committed here, on a Debian with Node in the place of its base, below `folder`. */
const buildImage = (folder: string): BuiltImage => {
  const store = [
    `--root=${join(folder, 'store')}`,
    `--runroot=${join(folder, 'run')}`,
    '--storage-driver=vfs',
  ];
  const buildah = (...args: readonly string[]): string =>
    execFileSync(BUILDAH, [...store, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();

  say('Making the base image…');
  const base = buildah('from', 'scratch');
  const root = buildah('mount', base);
  makeDebian(root, []);
  addNode(root, 'usr/local', process.execPath);
  execFileSync('chroot', [root, 'useradd', '--uid=1000', '--create-home', 'node']);
  writeNpmSettings(root);
  buildah('umount', base);
  buildah('commit', '--quiet', '--rm', base, BASE);

  const context = join(folder, 'context');
  execFileSync('git', ['clone', '--quiet', CLONE, context]);
  say('$ buildah build --from=… .');
  const options = ['--isolation=chroot', '--format=docker', '--pull=false', `--from=${BASE}`];
  quote(buildah('build', ...options, '--tag=localhost/whoflake', context));

  const { Docker } = JSON.parse(buildah('inspect', '--type=image', 'localhost/whoflake')) as {
    Docker: { config: DockerConfig };
  };
  return { ...Docker.config, root: buildah('mount', buildah('from', 'localhost/whoflake')) };
};

/** The user `node` of the image. */
const USER_ID = 1_000;

const childOf = (pid: number | undefined): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] ?? '';

/** As Docker would with --init, --read-only, --cap-drop=ALL, no-new-privileges and a volume each. */
const startContainer = (image: BuiltImage, folder: string) => {
  const volumes = Object.keys(image.Volumes).map((path) => {
    const volume = join(folder, `volume${path.replaceAll('/', '-')}`);
    mkdirSync(volume, { mode: 0o700 });
    // New volumes take over the owner of the folders that they are mounted on.
    chownSync(volume, USER_ID, USER_ID);
    return `--bind=${volume}:${path}`;
  });
  const limits = '--read-only --drop-capability=all --no-new-privileges=yes --private-network';
  const machine = '--quiet --as-pid2 --register=no --keep-unit --console=pipe';
  const own = [`--user=${image.User}`, `--chdir=${image.WorkingDir}`].concat(
    image.Env.map((pair) => `--setenv=${pair}`),
  );
  const options = [...`${machine} ${limits}`.split(' '), ...volumes, ...own, `--directory=${image.root}`];
  const command = [...image.Entrypoint, ...image.Cmd];
  // If we are killed, so is it.
  const nspawn = spawn('setpriv', ['--pdeathsig', 'KILL', NSPAWN, ...options, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [nspawn.stdout, nspawn.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
  const ended = once(nspawn, 'exit') as Promise<[number | null]>;
  /** The init that Docker brings; the process of the image is its child. */
  const init = (): string => childOf(nspawn.pid);
  return {
    ended,
    output: () => output,
    /** As `docker exec` would. */
    exec: (...command: readonly string[]) => {
      const user = [`--setuid=${USER_ID}`, `--setgid=${USER_ID}`];
      const enter = ['--target', init(), '--all', ...user, '--', 'env', '-i'];
      const inside = [...image.Env, 'sh', '-c', `cd ${image.WorkingDir} && exec "$@"`, '-', ...command];
      return spawnSync('nsenter', [...enter, ...inside], { encoding: 'utf8', timeout: 60_000 });
    },
    signal: (): void => void process.kill(Number(childOf(Number(init()))), image.StopSignal),
    [Symbol.asyncDispose]: async () => {
      nspawn.kill('SIGKILL');
      await ended;
    },
  };
};

const rehearse = async (): Promise<void> => {
  using folder = temporaryFolder();
  const image = buildImage(folder.path);
  await using container = startContainer(image, folder.path);
  await until(2, 'it listens', () => container.output().includes('"event":"listening"'));
  quote(container.output());
  demand('it runs as an ordinary user', container.exec('id', '-u').stdout.trim() === String(USER_ID));
  demand('its root is read-only', container.exec('touch', '/app/x').stderr.includes('Read-only file system'));
  demand('the health check says yes', container.exec(...image.Healthcheck.Test.slice(1)).status === 0);
  const status = container.exec('ops', 'status');
  quote(status.stdout + status.stderr);
  demand('ops status works in there', status.status === 0 && status.stdout.includes('lookups are answered'));
  container.signal();
  const [exitCode] = await withLimit(1, 'it stops', container.ended);
  demand(`${image.StopSignal} ends it in order, with 0`, exitCode === 0);
};

export const image: Rehearsal = {
  name: 'the image, built by buildah and run on a read-only root',
  whyNot: () =>
    whyNoBareRoot() ?? whyNoProgram(BUILDAH, 'buildah') ?? whyNoProgram(NSPAWN, 'systemd-container'),
  rehearse,
};
