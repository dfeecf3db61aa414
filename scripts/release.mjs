import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { makeDebianPackage } from './debian-package.ts';
import { isLockedNode, LOCKED_NODES } from './own-node.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const at = (path) => join(ROOT, path);
const run = (program, ...args) =>
  execFileSync(program, args, { cwd: ROOT, maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] });
const say = (text) => process.stdout.write(`${text}\n`);

const CONTENTS =
  'bin dist docs ops deploy compose.yaml compose.cluster.yaml package.json CHANGELOG.md CONTRIBUTING.md LICENSE README.md SECURITY.md'.split(
    ' ',
  );

const readOptions = () => {
  try {
    return parseArgs({
      options: {
        tag: { type: 'string' },
        into: { type: 'string', default: 'release' },
        platform: { type: 'string', multiple: true, default: [`linux-${process.arch}`] },
        image: { type: 'boolean', default: false },
      },
    }).values;
  } catch (cause) {
    const usage =
      'Usage: npm run release [-- --tag v0.3.0] [--into <folder>] [--platform linux-x64] [--image]';
    throw new Error(`${cause.message.split('.')[0]}. ${usage}`, { cause });
  }
};

/** 0.3.0-dev is what becomes 0.3.0: its section is "0.3.0 (unreleased)" until then. */
const notesOf = (version) => {
  const number = version.replace(/-dev$/, '');
  const sections = readFileSync(at('CHANGELOG.md'), 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${number} `));
  if (section === undefined)
    throw new Error(`CHANGELOG.md has no section for ${number}: see "Releases" in CONTRIBUTING.md.`);
  if (version === number && /^.*unreleased/i.test(section))
    throw new Error(`CHANGELOG.md calls ${number} unreleased: see "Releases" in CONTRIBUTING.md.`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
};

/** The same bytes wherever and whenever it is made: nothing in it tells of a machine, a user or the time. */
const tarball = (folder, secondsOfCommit, more) => {
  const anonymous = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const ordered = ['--sort=name', `--mtime=@${secondsOfCommit}`, '--format=ustar'];
  const named = ['--exclude=dist/.built', `--transform=flags=r;s,^,${folder}/,`, ...CONTENTS, ...more];
  return gzipSync(run('tar', '--create', ...ordered, ...anonymous, ...named), { level: 9 });
};

/** Vite lists the packages in the build for the licences. */
const packagesInBuild = () => {
  const lists = ['dist/server/licences.md', 'dist/web/licences.txt'].map((path) =>
    readFileSync(at(path), 'utf8'),
  );
  return new Set(
    lists
      .join('\n')
      .matchAll(/^## (\S+) - (\S+) \(/gm)
      .map(([, name, version]) => `${name}@${version}`),
  );
};

const billOfMaterials = (version, secondsOfCommit) => {
  const { serialNumber: _, ...whole } = JSON.parse(
    run('npm', 'sbom', '--sbom-format=cyclonedx', '--package-lock-only').toString(),
  );
  const held = packagesInBuild();
  const components = whole.components.filter((component) =>
    held.has(`${component.name}@${component.version}`),
  );
  if (components.length !== held.size)
    throw new Error('The build holds packages that the lock file does not name.');
  const refs = new Set([`whoflake@${version}`, ...components.map((component) => component['bom-ref'])]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((name) => refs.has(name)) }));
  const metadata = {
    ...whole.metadata,
    timestamp: new Date(secondsOfCommit * 1_000).toISOString(),
    component: { ...whole.metadata.component, type: 'application', name: 'whoflake' },
  };
  for (const component of components) Object.assign(component, { scope: 'required', properties: [] });
  return `${JSON.stringify({ ...whole, metadata, components, dependencies }, null, 2)}\n`;
};

const findTarget = (into) => {
  const target = resolve(into);
  const names = existsSync(target) ? readdirSync(target) : [];
  const isOurs = (name) => name === 'SHA256SUMS' || name === 'notes.md' || /^whoflake[-_]\d/.test(name);
  const other = names.find((name) => !isOurs(name));
  if (other !== undefined)
    throw new Error(`${into} is not empty and no earlier release: there is ${other} in it.`);
  if (!existsSync(dirname(target))) throw new Error(`There is no folder ${dirname(target)}.`);
  return target;
};

const fetchNode = (part, platform, version) => {
  const folder = mkdtempSync(join(part, '.node-'));
  run('npm', 'pack', `node-${platform}@${version}`, `--pack-destination=${folder}`);
  const [packed] = readdirSync(folder).map((name) => join(folder, name));
  if (!isLockedNode(packed, platform))
    throw new Error(`Node ${version} from the registry is not the one that was locked.`);
  const files = ['package/bin/node', 'package/LICENSE'];
  run('tar', '--extract', '--strip-components=1', `--directory=${folder}`, `--file=${packed}`, ...files);
  renameSync(join(folder, 'LICENSE'), join(folder, 'node-licence.txt'));
  return folder;
};

const makeImage = (version, path) => {
  const tag = `whoflake:${version}`;
  execFileSync('buildah', ['build', '--format=docker', `--tag=${tag}`, ROOT], { stdio: 'inherit' });
  run('buildah', 'push', tag, `oci-archive:${path}:${tag}`);
};

/** The tarball, and the same in a package for Debian. */
const makePlatform = (part, platform, { version, node, seconds }) => {
  const name = `whoflake-${version}-${platform}`;
  const folder = fetchNode(part, platform, node);
  const more = ['-C', part, '.commit', '-C', folder, 'bin', 'node-licence.txt'];
  writeFileSync(join(part, `${name}.tar.gz`), tarball(`whoflake-${version}`, seconds, more));
  rmSync(folder, { recursive: true });
  const tree = join(part, '.tree');
  mkdirSync(tree);
  const file = `--file=${join(part, name)}.tar.gz`;
  run('tar', '--extract', '--preserve-permissions', '--strip-components=1', `--directory=${tree}`, file);
  makeDebianPackage({ tree, version, platform, seconds }, part);
  rmSync(tree, { recursive: true });
};

const checksums = (folder) =>
  readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');

const release = () => {
  const { tag, into, image, platform: platforms } = readOptions();
  const unknown = platforms.find((platform) => LOCKED_NODES[platform] === undefined);
  if (unknown !== undefined)
    throw new Error(
      `There is no Node for ${unknown}: there is one for ${Object.keys(LOCKED_NODES).join(' and ')}.`,
    );
  const { version, devDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  if (typeof tag === 'string' && tag !== `v${version}`)
    throw new Error(`The tag ${tag} does not name the version in package.json, ${version}.`);
  const notes = notesOf(version);
  if (run('git', 'status', '--porcelain').length > 0)
    throw new Error('There are changes that are not committed: a release is made of a commit.');
  const secondsOfCommit = Number(run('git', 'log', '-1', '--format=%ct').toString());
  const target = findTarget(into);
  const part = mkdtempSync(join(dirname(target), '.release-'));
  try {
    const name = `whoflake-${version}`;
    // What `ops version` says: there is no git where it is unpacked.
    writeFileSync(join(part, '.commit'), run('git', 'rev-parse', 'HEAD'));
    for (const platform of platforms)
      makePlatform(part, platform, { version, node: devDependencies.node, seconds: secondsOfCommit });
    rmSync(join(part, '.commit'));
    writeFileSync(join(part, `${name}.cdx.json`), billOfMaterials(version, secondsOfCommit));
    if (image) makeImage(version, join(part, `${name}.oci.tar`));
    // Of what is published as a file: the notes are not.
    writeFileSync(join(part, 'SHA256SUMS'), checksums(part));
    writeFileSync(join(part, 'notes.md'), notes);
    rmSync(target, { recursive: true, force: true });
    renameSync(part, target);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  for (const file of readdirSync(target)) say(join(into, file));
};

// Modes in the packages do not depend on the shell's.
process.umask(0o022);
// Without this nothing would be cleaned up. Our child processes get the signal too, fail, and so end the release.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
try {
  release();
} catch (error) {
  const reason =
    error.code === 'ENOENT' && error.syscall?.startsWith('spawnSync')
      ? `${error.path} is missing here.`
      : error.message;
  process.stderr.write(`Nothing was released. ${reason}\n`);
  process.exitCode = 1;
}
