// Plain JavaScript for any Node from 20 on: it runs before anything is installed.
// Usage: node scripts/setup.mjs [build] [browser] [proxies]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser, installBrowser } from './browser.mjs';
import { unpackProxies } from './proxies.mjs';

const ROOT = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const at = (path) => join(ROOT, path);
const run = (command, args) =>
  execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
const say = (text) => process.stdout.write(`${text}\n`);

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

const install = () =>
  unlessDone(at('node_modules/.installed'), hash([readFileSync(at('package-lock.json'))]), () => {
    say('Installing packages…');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  });

const build = () => {
  const inputs = ['src/web', 'src/shared', 'vite.config.ts', 'package-lock.json'].map(at).flatMap(filesBelow);
  const state = hash(inputs.flatMap((file) => [file.slice(ROOT.length), readFileSync(file)]));
  mkdirSync(at('dist'), { recursive: true });
  unlessDone(at('dist/.built'), state, () => {
    say('Building the web part…');
    for (const kind of [[], ['--ssr']]) run('npx', ['vite', 'build', '--logLevel=warn', ...kind]);
  });
};

install();
const wanted = new Set(process.argv.slice(2));
if (wanted.has('build')) build();
if (wanted.has('browser') && findBrowser() === null) installBrowser(say);
if (wanted.has('proxies')) unpackProxies(at('.tools'), say);
