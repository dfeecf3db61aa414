import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, installBrowser, installOtherBrowsers } from './browser.mjs';
import { unpackPrograms } from './debian-programs.mjs';
import { ownNode } from './own-node.mjs';
import { lockFolder } from './folder-lock.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const at = (path) => join(ROOT, path);
const say = (text) => process.stdout.write(`${text}\n`);

/** One sentence, with what to do about it, and no stack trace: this is the first thing that a newcomer runs. */
const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

/** Does the work unless `stamp` already holds `state`. */
const unlessDone = (stamp, state, work) => {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  work();
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

/** A setup that is killed leaves its children behind: they hold the lock as well, until they end. */
const run = (lock, command, args, { stderr = 'inherit', sayWhy }) => {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'inherit', stderr, lock],
  });
  if (result.error?.code === 'ENOENT')
    fail(`${command} is missing: install npm, for example with apt-get install npm`);
  if (result.status !== 0) fail(sayWhy(result.stderr));
};

/** Of npm's output: its error code, and where the log is. */
const sayWhyNotInstalled = (stderr) => {
  const [, code = 'no reason given'] = /^npm \S+ code (\S+)$/m.exec(stderr) ?? [];
  const [, log = 'npm’s log'] = /log of this run can be found in: (.+)$/m.exec(stderr) ?? [];
  return `The packages could not be installed (${code}): check the registry with npm ping; details are in ${log}.`;
};

const install = (lock) => {
  const node = ownNode(ROOT);
  const state = hash([readFileSync(at('package-lock.json')), node.isNeeded ? 'own Node' : '']);
  unlessDone(at('node_modules/.installed'), state, () => {
    say('Installing packages…');
    // The only script that is allowed to run downloads Node.
    const options = node.isNeeded ? [] : ['--ignore-scripts'];
    run(lock, 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...options], {
      stderr: 'pipe',
      sayWhy: sayWhyNotInstalled,
    });
    const problem = node.isNeeded ? node.findProblem() : null;
    if (problem !== null) fail(problem);
  });
};

const build = (lock) => {
  const inputs = ['src', 'vite.config.ts', 'package.json', 'package-lock.json']
    .map(at)
    .flatMap(filesBelow)
    .filter((file) => !/\.test\.tsx?$/.test(file));
  const state = hash(inputs.flatMap((file) => [file.slice(ROOT.length), readFileSync(file)]));
  mkdirSync(at('dist'), { recursive: true });
  unlessDone(at('dist/.built'), state, () => {
    say('Building…');
    for (const kind of [[], ['--ssr']])
      run(lock, 'npx', ['vite', 'build', '--logLevel=warn', ...kind], {
        sayWhy: () =>
          'Whoflake could not be built, see above: if you have not changed the source, run npm ci and try again.',
      });
  });
};

const getBrowser = () => {
  try {
    if (findBrowser() === null) installBrowser(say);
  } catch {
    fail('No browser for the tests could be installed, see above: apt-get install chromium');
  }
};

export const prepare = (wanted) => {
  const lock = lockFolder(ROOT, say);
  // A command must not turn what is installed, maybe without development tools, into something else.
  if (!wanted.has('once') || !existsSync(at('dist/server'))) {
    install(lock);
    if (wanted.has('build')) build(lock);
  }
  if (wanted.has('browser')) getBrowser();
  if (wanted.has('browsers')) installOtherBrowsers(say);
  for (const kind of ['proxies', 'stores', 'monitoring', 'debootstrap'])
    if (wanted.has(kind)) unpackPrograms(kind, at('.tools'), say);
};
