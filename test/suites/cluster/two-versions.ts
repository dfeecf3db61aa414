import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ProcessCommand } from '#test/support/app-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import type { Scene, Seen, Step } from './step.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const SIDE_BY_SIDE_MS = 10_000;

/** A version without this file keeps its tokens in the store in another form, and is refused there. */
const NEEDED = 'src/server/pool/token-store/redis-token-store.ts';
/** One with others refuses the database. */
const MIGRATIONS = 'src/server/storage/migrations';
const MOST_BACK = 20;

const git = async (...args: readonly string[]): Promise<string> =>
  (await run('git', [...args], { cwd: ROOT })).stdout.trim();

/** The oldest of the last commits that could be part of a cluster; null if there is none but this one. */
const earlierVersion = async (): Promise<string | null> => {
  const commits = (await git('log', '--format=%H', `-${MOST_BACK}`, 'HEAD~1')).split('\n');
  const migrations = await git('ls-tree', 'HEAD', MIGRATIONS);
  for (const commit of commits.toReversed()) {
    const isFit = (await git('ls-tree', commit, MIGRATIONS)) === migrations;
    if (isFit && (await git('ls-tree', commit, NEEDED)) !== '') return commit;
  }
  return null;
};

/** Built from its sources, with our packages. */
const unpack = async (commit: string, folder: string): Promise<ProcessCommand> => {
  await run('sh', ['-c', `git archive "$1" | tar -x -C "$2"`, 'sh', commit, folder], { cwd: ROOT });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const kind of [[], ['--ssr']])
    await run(join(ROOT, 'node_modules/.bin/vite'), ['build', '--logLevel=error', ...kind], { cwd: folder });
  return { program: process.execPath, args: [join(folder, 'bin/whoflake')] };
};

/** Half of the nodes are of an earlier version for a while, one after the other, and then of this one again. */
const runTwoVersions = async ({ cluster, quick }: Scene): Promise<Seen> => {
  const commit = await earlierVersion();
  using folder = temporaryFolder();
  const command = commit === null ? undefined : await unpack(commit, folder.path);
  const half = cluster.nodes.slice(0, cluster.nodes.length / 2);
  for (const node of half) {
    await node.kill();
    await node.start(command);
  }
  await delay(quick ? SIDE_BY_SIDE_MS / 4 : SIDE_BY_SIDE_MS);
  for (const node of half) {
    await node.kill();
    await node.start();
  }
  return {
    note:
      commit === null ? 'no earlier version can: this one twice' : `${commit.slice(0, 7)} next to this one`,
  };
};

export const TWO_VERSIONS: Step = { name: 'two versions side by side', run: runTwoVersions };
