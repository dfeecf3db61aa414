import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { addNode, makeDebian, writeNpmSettings } from './bare-root.ts';
import { quote, say } from './checks.ts';

export const BUILDAH = '/usr/bin/buildah';
const CLONE = join(import.meta.dirname, '../../..');
const BASE = 'localhost/whoflake-base';

/** An image that is mounted in a folder, with its own description. */
export type BuiltImage = DockerConfig & { readonly root: string };

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
export const buildImage = (folder: string): BuiltImage => {
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
  say('$ buildah build --build-arg NODE=… .');
  const options = ['--isolation=chroot', '--format=docker', '--pull=false', `--build-arg=NODE=${BASE}`];
  quote(buildah('build', ...options, '--tag=localhost/whoflake', context));

  const { Docker } = JSON.parse(buildah('inspect', '--type=image', 'localhost/whoflake')) as {
    Docker: { config: DockerConfig };
  };
  return { ...Docker.config, root: buildah('mount', buildah('from', 'localhost/whoflake')) };
};
