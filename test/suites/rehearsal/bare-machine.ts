import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { request } from 'undici';
import { startAppProcess } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { addNode, makeDebian, onPath, registrySettings, whyNoBareRoot } from './bare-root.ts';
import type { FuzzResult } from '#test/fuzz/tally.ts';
import type { Part } from '../suite.ts';
import { demand, quote, say, withLimit } from './checks.ts';

const CLONE = join(import.meta.dirname, '../../..');

/** From a fresh clone on a machine that has next to nothing to the first page. */
const rehearse = async (): Promise<FuzzResult> => {
  using folder = temporaryFolder();
  const root = join(folder.path, 'root');
  say('Making a bare machine…');
  makeDebian(root, ['git']);
  addNode(root, 'usr', onPath('node'));
  execFileSync('git', ['clone', '--quiet', CLONE, join(root, 'whoflake')]);

  say('$ npm start');
  const env = {
    ...registrySettings(),
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    PORT: String(await freePort()),
    DATA_DIR: '/data',
  };
  // In namespaces of its own, so that no mount and no process is left, however it ends.
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  await using server = startAppProcess(env, {
    program: 'unshare',
    args: [...namespaces, `--root=${root}`, '--wd=/whoflake', 'npm', 'start'],
  });
  const origin = await withLimit(15, 'npm start', server.origin);
  const { statusCode } = await request(origin);
  quote(server.output());
  demand('the first page is there', statusCode === 200);
  return { count: 1, broken: 0 };
};

export const bareMachine: Part<unknown> = {
  name: 'a bare machine, from clone to first page',
  whyNot: whyNoBareRoot,
  run: rehearse,
};
