import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAMS = ['/usr/bin/flock', '/bin/tar', '/bin/gzip', '/bin/cp', '/bin/mkdir'].filter((path) =>
  existsSync(path),
);
const INSTALLS = 'echo "$*" >> npm-calls; mkdir -p node_modules; [ "$1" != pack ] || cp node.tgz "$5/"';
const REFUSED = `echo 'npm error code ECONNREFUSED
npm error A complete log of this run can be found in: /logs/7.log' >&2; exit 1`;

/** A clone in which nothing is installed yet, on a machine with few programs, whose registry has a Node that lacks a library. */
const createClone = (programs: Readonly<Record<string, string>>, isLocked = true) => {
  const folder = temporaryFolder();
  const at = (path: string): string => join(folder.path, path);
  const write = (path: string, script: string) =>
    writeFileSync(at(path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  for (const path of ['scripts', 'package.json', 'package-lock.json', 'vite.config.ts', 'src'])
    cpSync(join(ROOT, path), at(path), { recursive: true });
  for (const path of ['bin', 'package/bin']) mkdirSync(at(path), { recursive: true });
  for (const path of PROGRAMS) symlinkSync(path, at(`bin/${basename(path)}`));
  for (const [name, script] of Object.entries(programs)) write(`bin/${name}`, script);
  write('package/bin/node', 'echo "libatomic.so.1: cannot open shared object file" >&2; exit 127');
  execFileSync('tar', ['-czf', 'node.tgz', 'package'], { cwd: folder.path });
  const locked = createHash('sha512')
    .update(readFileSync(at('node.tgz')))
    .digest('base64');
  const scripts = readFileSync(at('scripts/own-node.mjs'), 'utf8');
  if (isLocked)
    writeFileSync(at('scripts/own-node.mjs'), scripts.replaceAll(/'sha512-[^']+'/g, `'sha512-${locked}'`));
  return { at, [Symbol.dispose]: () => folder[Symbol.dispose]() };
};

/** Runs the setup on a Node that takes itself for that version. */
const startSetup = ({ at }: ReturnType<typeof createClone>, version = process.version) => {
  const disguise = `data:text/javascript,Object.defineProperty(process,'version',{value:'${version}'})`;
  const args = [`--import=${disguise}`, at('scripts/setup.mjs'), 'build'];
  const child = spawn(process.execPath, args, {
    env: { PATH: at('bin') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
  const ended = once(child, 'close').then(([exitCode]) => ({ exitCode: exitCode as number, stderr }));
  const says = async (text: string): Promise<void> => {
    while (!stdout.includes(text)) {
      if (child.stdout.readableEnded) throw new Error(`It ended without “${text}”: ${stdout}${stderr}`);
      await Promise.race([once(child.stdout, 'data'), once(child.stdout, 'end')]);
    }
  };
  return { ended, says };
};

const { version: NOW } = process;
it.each([
  ['npm', {}, NOW, /^npm is missing: install npm, for example with apt-get install npm\n$/],
  [
    'the network',
    { npm: REFUSED },
    NOW,
    /^The packages .* \(ECONNREFUSED\): .* npm ping; .* \/logs\/7\.log\.\n$/,
  ],
  ['a sound build', { npm: INSTALLS, npx: 'exit 1' }, NOW, /^Whoflake could not be built.* npm ci .*\n$/],
  ['Node 20', { npm: INSTALLS }, 'v18.20.8', /^Whoflake needs Node 20 or newer.*: npm install .*\n$/],
  [
    'a library',
    { npm: INSTALLS },
    'v20.0.0',
    /^libatomic\.so\.1 is missing, .*: apt-get install libatomic1\n$/,
  ],
  [
    'the locked Node',
    { npm: INSTALLS },
    'v20.0.0',
    /^Node \S+ from the registry is not the one that was locked.*\n$/,
  ],
] as const)(
  'the setup says in one sentence what to do where %s is missing',
  async (what, programs, version, sentence) => {
    using clone = createClone(programs, what !== 'the locked Node');
    expect(await startSetup(clone, version).ended).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(sentence),
    });
    // Or the next start would run on it.
    expect(existsSync(clone.at('node_modules/node/bin/node'))).toBe(false);
  },
);

it.runIf(existsSync('/usr/bin/flock'))(
  'a second setup waits for the first, and does nothing again',
  async () => {
    const npm = `${INSTALLS}; echo npm is at work; read -r go < gate`;
    using clone = createClone({ npm, npx: 'echo "$*" >> npm-calls' });
    execFileSync('mkfifo', [clone.at('gate')]);
    const first = startSetup(clone);
    await first.says('npm is at work');
    const second = startSetup(clone);
    await second.says('Waiting for another setup in this folder');
    await writeFile(clone.at('gate'), 'go\n');
    for (const setup of [first, second]) expect(await setup.ended).toEqual({ exitCode: 0, stderr: '' });
    // No package runs a script: it could download what the lock file does not know.
    const calls = readFileSync(clone.at('npm-calls'), 'utf8');
    expect(calls).toMatch(/^ci --ignore-scripts .*\nvite build .*\nvite build .*--ssr\n$/);
  },
);
