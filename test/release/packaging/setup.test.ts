import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FLOCK = '/usr/bin/flock';
const OWN_NODE = 'node_modules/node/bin/node';
const INSTALLS = 'echo "$*" >> npm-calls; /bin/mkdir -p node_modules';
const REFUSED = `echo 'npm error code ECONNREFUSED
npm error     at Socket.emit (node:events:524:28)
npm error A complete log of this run can be found in: /logs/7.log' >&2`;
const LACKS_LIBRARY =
  'echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory" >&2; exit 127';
const WRONG_FORMAT = 'echo "Exec format error" >&2; exit 126';
const RUNS = 'echo ran >> node-calls';

/** `npm` of a registry whose Node does what `script` says. */
const withOwnNode = (script: string): string =>
  `${INSTALLS}; [ "$1" = pack ] || exit 0; /bin/mkdir -p made/package/bin; echo '#!/bin/sh\n${script}' > made/package/bin/node; /bin/chmod +x made/package/bin/node
   /bin/tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C made -cf "$5/node.tar" package; /bin/gzip -n -S .gz "$5/node.tar"`;

const integrityOf = (script: string): string => {
  using folder = temporaryFolder();
  const npm = join(folder.path, 'npm');
  writeFileSync(npm, `#!/bin/sh\n${withOwnNode(script)}\n`, { mode: 0o755 });
  execFileSync(npm, ['pack', '', '', '', folder.path], { cwd: folder.path });
  const tarball = readFileSync(join(folder.path, 'node.tar.gz'));
  return `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
};

const lockNode = ({ at }: Clone, script: string): void => {
  const file = at('scripts/own-node.mjs');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/'sha512-[^']+'/g, `'${integrityOf(script)}'`));
};

/** A clone in which nothing is installed yet, on a machine with these programs and no others. */
const createClone = (programs: Readonly<Record<string, string>>) => {
  const folder = temporaryFolder();
  const at = (path: string): string => join(folder.path, path);
  for (const path of ['scripts', 'package.json', 'package-lock.json', 'vite.config.ts', 'src'])
    cpSync(join(ROOT, path), at(path), { recursive: true });
  mkdirSync(at('bin'));
  for (const program of [FLOCK, '/bin/tar', '/bin/gzip'])
    if (existsSync(program)) symlinkSync(program, at(`bin/${basename(program)}`));
  for (const [name, script] of Object.entries(programs))
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { at, [Symbol.dispose]: () => folder[Symbol.dispose]() };
};

type Clone = ReturnType<typeof createClone>;

/** Runs the setup on a Node that takes itself for that version. */
const startSetup = ({ at }: Clone, version = process.version, args: readonly string[] = []) => {
  const disguise = `Object.defineProperty(process, 'version', { value: '${version}' })`;
  const child = spawn(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(disguise)}`, at('scripts/setup.mjs'), ...args],
    { env: { PATH: at('bin') }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
  return {
    kill: () => child.kill('SIGKILL'),
    exit: once(child, 'exit'),
    /** Of everything that it wrote, its children's part included. */
    ended: once(child, 'close').then(([exitCode]) => ({ exitCode: exitCode as number, stderr })),
    says: async (text: string) => {
      while (!stdout.includes(text)) {
        if (child.stdout.readableEnded) throw new Error(`It ended without “${text}”: ${stdout}${stderr}`);
        await Promise.race([once(child.stdout, 'data'), once(child.stdout, 'end')]);
      }
    },
  };
};

const callsOfNpm = ({ at }: Clone): string[] => readFileSync(at('npm-calls'), 'utf8').trim().split('\n');

it.each([
  ['npm', {}, process.version, /^npm is missing: install npm, for example with apt-get install npm\n$/],
  [
    'the network',
    { npm: `${REFUSED}; exit 1` },
    process.version,
    /^The packages could not be installed \(ECONNREFUSED\): check the registry with npm ping; details are in \/logs\/7\.log\.\n$/,
  ],
  [
    'a library',
    { npm: withOwnNode(LACKS_LIBRARY) },
    'v20.0.0',
    /^libatomic\.so\.1 is missing, and Node needs it: apt-get install libatomic1\n$/,
    LACKS_LIBRARY,
  ],
  [
    'what its own Node was made for',
    { npm: withOwnNode(WRONG_FORMAT) },
    'v20.0.0',
    /^Node \S+ does not run here \(Exec format error\): install Node >=\S+ from your system’s packages\.\n$/,
    WRONG_FORMAT,
  ],
  [
    'the Node that was locked',
    { npm: withOwnNode(RUNS) },
    'v20.0.0',
    /^Node \S+ from the registry is not the one that was locked: check the registry with .*\n$/,
    `${RUNS} `,
  ],
  [
    'a sound build',
    { npm: INSTALLS, npx: 'exit 1' },
    process.version,
    /^Whoflake could not be built.* npm ci .*\n$/,
  ],
  ['a younger Node', { npm: INSTALLS }, 'v18.20.8', /^Whoflake needs Node 20 or newer.*: npm install .*\n$/],
])(
  'the setup, where something is missing, says in one sentence what to do: %s',
  async (_what, programs, version, sentence, locked = '') => {
    using clone = createClone(programs);
    if (locked !== '') lockNode(clone, locked);
    const { exitCode, stderr } = await startSetup(clone, version, ['build']).ended;
    expect(stderr).toMatch(sentence);
    expect(exitCode).toBe(1);
    // Or the next start would run on it, and never come to the sentence.
    expect(existsSync(clone.at(OWN_NODE))).toBe(false);
    expect(existsSync(clone.at('node-calls'))).toBe(false);
  },
);

it.each([
  ['v24.15.0', []],
  ['v26.10.0', []],
  ['v24.14.1', [OWN_NODE]],
  ['v20.20.2', [OWN_NODE]],
])(
  'the Node of the setup is the machine’s if it is new enough, else one is installed: %s',
  async (version, installed) => {
    using clone = createClone({ npm: withOwnNode('exit 0') });
    lockNode(clone, 'exit 0');
    expect(await startSetup(clone, version).ended).toEqual({ exitCode: 0, stderr: '' });
    expect([OWN_NODE].filter((path) => existsSync(clone.at(path)))).toEqual(installed);
    const before = callsOfNpm(clone);
    // No package runs a script: it could download what the lock file does not know.
    expect(before[0]).toMatch(/^ci --ignore-scripts /);
    expect(await startSetup(clone, version).ended).toEqual({ exitCode: 0, stderr: '' });
    expect(callsOfNpm(clone)).toEqual(before);
  },
);

it('the setup before a command installs and builds in a clone that has nothing yet, and leaves everything else as it is', async () => {
  const npx = `echo "$*" >> npx-calls; /bin/mkdir -p dist/server`;
  using clone = createClone({ npm: withOwnNode('exit 0'), npx });
  const setUp = () => startSetup(clone, process.version, ['once', 'build']).ended;
  expect(await setUp()).toEqual({ exitCode: 0, stderr: '' });
  const built = readFileSync(clone.at('npx-calls'), 'utf8');
  expect([callsOfNpm(clone).length, built]).toEqual([1, expect.stringContaining('vite build')]);
  // As after npm prune, or with the packages of another version.
  writeFileSync(clone.at('package-lock.json'), '{}');
  expect(await setUp()).toEqual({ exitCode: 0, stderr: '' });
  expect([callsOfNpm(clone).length, readFileSync(clone.at('npx-calls'), 'utf8')]).toEqual([1, built]);
});

describe.runIf(existsSync(FLOCK))('two setups at once', () => {
  /** Its npm does not end before it is told to. */
  const createSlowClone = () => {
    // Each run has a gate of its own: at the end of what was written for another, it would end too early.
    const npm = `${INSTALLS}; echo npm is at work; read -r go < "gate-$(/usr/bin/wc -l < npm-calls)"`;
    const clone = createClone({ npm });
    execFileSync('mkfifo', [clone.at('gate-1'), clone.at('gate-2')]);
    return { ...clone, letNpmEnd: (run: 1 | 2) => writeFile(clone.at(`gate-${run}`), 'go\n') };
  };

  it('install once: the second waits for the first', async () => {
    using clone = createSlowClone();
    const first = startSetup(clone);
    await first.says('npm is at work');
    const second = startSetup(clone);
    await second.says('Waiting for another setup in this folder');
    await clone.letNpmEnd(1);
    for (const setup of [first, second]) expect(await setup.ended).toEqual({ exitCode: 0, stderr: '' });
    expect(callsOfNpm(clone)).toHaveLength(1);
  });

  it('are not held up by one that was killed, but by the npm that it left behind', async () => {
    using clone = createSlowClone();
    const first = startSetup(clone);
    await first.says('npm is at work');
    first.kill();
    await first.exit;
    const second = startSetup(clone);
    await second.says('Waiting for another setup in this folder');
    await clone.letNpmEnd(1);
    await second.says('npm is at work');
    await clone.letNpmEnd(2);
    expect(await second.ended).toEqual({ exitCode: 0, stderr: '' });
    expect(callsOfNpm(clone)).toHaveLength(2);
  });
});
