import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';

const DEBOOTSTRAP = 'usr/sbin/debootstrap';
const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt';
const TOOLS = join(import.meta.dirname, '../../.tools');

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string =>
  execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env } }).trim();

/** Debian's release of this machine, and where this machine gets it from. */
const findDebian = (): { readonly release: string; readonly mirror: string } => {
  const release = parseEnv(readFileSync('/etc/os-release', 'utf8'))['VERSION_CODENAME'] ?? '';
  const filters = ['Created-By: Packages', `Release: ${release}`, 'Component: main'];
  const [mirror = ''] = run('apt-get', ['indextargets', '--format', '$(REPO_URI)', ...filters]).split('\n');
  return { release, mirror };
};

/** What the machine itself has, not what npm puts before it. */
const onPath = (program: string): string => {
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'));
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`There is no ${program} on this machine.`);
  return realpathSync(found);
};

/** Why there can be none, else null. */
export const whyNoBareRoot = (): string | null => {
  if (process.getuid?.() !== 0) return 'only root can make one';
  if (!['/', TOOLS].some((root) => existsSync(join(root, DEBOOTSTRAP))))
    return 'debootstrap cannot be had here';
  return null;
};

/** A Debian that has nothing but what it cannot do without, and ca-certificates, git, Node and npm. */
export const makeBareRoot = (root: string): void => {
  const { release, mirror } = findDebian();
  const isUnpacked = existsSync(join(TOOLS, DEBOOTSTRAP));
  const options = ['--variant=minbase', '--include=ca-certificates,git'];
  run(join(isUnpacked ? TOOLS : '/', DEBOOTSTRAP), [...options, release, root, mirror], {
    PATH: `${process.env['PATH']}:${TOOLS}/usr/bin`,
    ...(isUnpacked ? { DEBOOTSTRAP_DIR: join(TOOLS, 'usr/share/debootstrap') } : {}),
  });
  const npm = join(onPath('npm'), '../..');
  copyFileSync(onPath('node'), join(root, 'usr/bin/node'));
  cpSync(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/bin', name));
  for (const file of [CERTIFICATES, 'etc/resolv.conf', 'etc/hosts'])
    copyFileSync(join('/', file), join(root, file));
};

/** How this machine reaches npm's registry, for the root to do the same. */
export const registrySettings = (): Record<string, string> => ({
  npm_config_registry: run('npm', ['config', 'get', 'registry']),
  npm_config_cafile: join('/', CERTIFICATES),
  NODE_EXTRA_CA_CERTS: join('/', CERTIFICATES),
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /_proxy$/i.test(name))),
});

/** Whether the loader would find this library. */
export const hasLibrary = (root: string, name: string): boolean =>
  readdirSync(join(root, 'usr/lib'), { recursive: true, encoding: 'utf8' }).some((path) =>
    path.endsWith(name),
  );
