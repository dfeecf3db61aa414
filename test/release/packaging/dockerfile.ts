import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { env } from 'node:process';

const ROOT = join(import.meta.dirname, '../../..');
const WORKDIR = '/app/';

/** What the Dockerfile makes, laid out in a folder instead of an image. */
export type Layout = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
};

/** What `npm test` tells its children of this clone: an npm among them must not take it for its own. */
const OF_THE_TEST_RUN = /^(?:npm_(?!config_registry$)|INIT_CWD$|NODE_ENV$|VITEST)/;

type Instruction = { readonly name: string; readonly rest: string };

/** Steps that need not be repeated, because `npm test` has done just that before, or that only a container runtime can do. */
const INSTEAD: Readonly<Record<string, (folder: string) => void>> = {
  'npm ci --ignore-scripts': (folder) =>
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules')),
  'npx vite build && npx vite build --ssr': (folder) =>
    cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true }),
  'ln -s /app/bin/ops /usr/local/bin/ops': () => {},
  'install -d -o node -g node -m 700 /data /keys': () => {},
};

const readInstructions = (): Instruction[] =>
  readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = ''] = line.split(' ', 1);
      return { name, rest: line.slice(name.length).trim() };
    });

/** Our .dockerignore shuts everything out, lets some names in again, and of those keeps endings out. */
const readIgnored = (): ((path: string) => boolean) => {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
  const names = new Set(lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)));
  const endings = lines.filter((line) => line.startsWith('**/*')).map((line) => line.slice(4));
  return (path) => !names.has(path.split('/', 1)[0] ?? '') || endings.some((ending) => path.endsWith(ending));
};

/** Follows the Dockerfile step by step, each stage in a folder of its own below `folder`. */
export const layOut = (folder: string): Layout => {
  const instructions = readInstructions();
  const isIgnored = readIgnored();
  const stageAt = (name: string): string => join(folder, name);
  let stage = '';

  const copy = (rest: string): void => {
    const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
    const sources = paths.split(' ');
    const target = sources.pop() ?? '';
    for (const source of sources) {
      const to = join(stage, target.endsWith('/') ? join(target, basename(source)) : target);
      // Moved, because it is quicker and nobody looks at an earlier stage again.
      if (from !== undefined) renameSync(join(stageAt(from), relative(WORKDIR, source)), to);
      else if (isIgnored(source)) throw new Error(`${source} is copied, but .dockerignore keeps it out.`);
      else {
        const filter = (file: string): boolean => !isIgnored(relative(ROOT, file));
        cpSync(join(ROOT, source), to, { recursive: true, filter });
      }
    }
  };
  const run = (command: string): void => {
    const instead = INSTEAD[command];
    if (instead !== undefined) return instead(stage);
    const ours = Object.entries(env).filter(([name]) => !OF_THE_TEST_RUN.test(name));
    execFileSync('sh', ['-c', command], {
      cwd: stage,
      env: { ...Object.fromEntries(ours), npm_config_prefer_offline: 'true' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  for (const { name, rest } of instructions) {
    if (name === 'FROM') mkdirSync((stage = stageAt(/ AS (\S+)$/.exec(rest)?.[1] ?? 'image')));
    if (name === 'COPY') copy(rest);
    if (name === 'RUN') run(rest);
  }

  const last = (name: string): string => instructions.findLast((found) => found.name === name)?.rest ?? '';
  const listIn = (text: string): string[] => JSON.parse(text.slice(text.indexOf('['))) as string[];
  return {
    folder: stage,
    env: Object.fromEntries(
      last('ENV')
        .split(' ')
        .map((pair) => pair.split('=')),
    ) as Record<string, string>,
    entrypoint: listIn(last('ENTRYPOINT')),
    command: listIn(last('CMD')),
    healthcheck: listIn(last('HEALTHCHECK')),
  };
};
