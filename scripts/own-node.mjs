import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const numbersIn = (version) => version.match(/\d+/g).map(Number);

const isAtLeast = (version, least) => {
  const [given, wanted] = [numbersIn(version), numbersIn(least)];
  const place = wanted.findIndex((number, index) => number !== given[index]);
  return place === -1 || given[place] > wanted[place];
};

/** The Node that is installed with the packages, where the machine's own is too old. */
export const ownNode = (root) => {
  const path = join(root, 'node_modules/node/bin/node');
  const { engines, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // It may be what runs this: then the machine's own was too old before.
  const isRunning = existsSync(path) && realpathSync(path) === realpathSync(process.execPath);

  return {
    isNeeded: isRunning || !isAtLeast(process.version, engines.node),
    /** Why it does not run and what to do about it, else null. What does not run is removed, or the next start would stumble over it. */
    findProblem: () => {
      const { status, stderr, error } = spawnSync(path, ['--version'], { encoding: 'utf8' });
      if (status === 0) return null;
      rmSync(path, { force: true });
      const library = /(\w[\w+-]*)\.so\.(\d+): cannot open/.exec(stderr ?? '');
      // Debian names the package of libgcc_s.so.1 libgcc-s1.
      return library === null
        ? `Node ${devDependencies.node} does not run here (${error?.message ?? stderr.trim()}): install Node ${engines.node} from your system’s packages.`
        : `${library[0].split(':')[0]} is missing, and Node needs it: apt-get install ${library[1].replaceAll('_', '-')}${library[2]}`;
    },
  };
};
