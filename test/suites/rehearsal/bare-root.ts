import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';

const DEBOOTSTRAP = 'usr/sbin/debootstrap';
const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt';
const TOOLS = join(import.meta.dirname, '../../../.tools');

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
export const onPath = (program: string): string => {
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'));
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`There is no ${program} on this machine.`);
  return realpathSync(found);
};

export const whyNoBareRoot = (): string | null => {
  if (process.getuid?.() !== 0) return 'only root can make the machine for it';
  if (!['/', TOOLS].some((root) => existsSync(join(root, DEBOOTSTRAP))))
    return 'debootstrap cannot be had here';
  return null;
};

export const whyNoProgram = (path: string, debianPackage: string): string | null =>
  existsSync(path) ? null : `${path} is missing: apt-get install ${debianPackage}`;

export const makeDebian = (root: string, packages: readonly string[]): void => {
  const { release, mirror } = findDebian();
  const isUnpacked = existsSync(join(TOOLS, DEBOOTSTRAP));
  const options = ['--variant=minbase', `--include=${['ca-certificates', ...packages].join(',')}`];
  run(join(isUnpacked ? TOOLS : '/', DEBOOTSTRAP), [...options, release, root, mirror], {
    PATH: `${process.env['PATH']}:${TOOLS}/usr/bin`,
    ...(isUnpacked ? { DEBOOTSTRAP_DIR: join(TOOLS, 'usr/share/debootstrap') } : {}),
  });
  for (const file of [CERTIFICATES, 'etc/resolv.conf', 'etc/hosts'])
    copyFileSync(join('/', file), join(root, file));
};

/** Puts Node and the machine's npm below a folder such as /usr/local of the root. */
export const addNode = (root: string, prefix: string, node: string): void => {
  const at = (path: string): string => join(root, prefix, path);
  mkdirSync(at('lib/node_modules'), { recursive: true });
  copyFileSync(node, at('bin/node'));
  cpSync(join(onPath('npm'), '../..'), at('lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, at(`bin/${name}`));
};

/** How this machine reaches npm's registry, for the root to do the same. */
export const registrySettings = (): Record<string, string> => ({
  npm_config_registry: run('npm', ['config', 'get', 'registry']),
  npm_config_cafile: join('/', CERTIFICATES),
  NODE_EXTRA_CA_CERTS: join('/', CERTIFICATES),
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /_proxy$/i.test(name))),
});

/** The same for root in there, as a file that is gone with it. */
export const writeNpmSettings = (root: string, more: readonly string[] = []): void => {
  const { npm_config_registry: registry } = registrySettings();
  const lines = [`registry=${registry}`, `cafile=${join('/', CERTIFICATES)}`, ...more];
  writeFileSync(join(root, 'root/.npmrc'), `${lines.join('\n')}\n`);
};
