import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DATABASE_FILE } from '#server/storage/data-folder.ts';
import { readStoredTokens } from './stored-tokens.ts';
import { createTally, type FuzzResult, type Tally } from './tally.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { startWorld, type World } from '../suites/world.ts';

const STRACE = '/usr/bin/strace';
const READY_TRIES = 300;

export const whyNoStrace = (): string | null => (existsSync(STRACE) ? null : 'needs strace');

const trace = async (pid: number, args: readonly string[]) => {
  const tracer = spawn(STRACE, ['-f', '-p', String(pid), ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  // It says that it has attached before it says anything else.
  await once(tracer.stderr, 'data');
  return {
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      if (tracer.exitCode !== null) return;
      tracer.kill('SIGINT');
      await once(tracer, 'close');
    },
  };
};

const DONATIONS = 50;
/** If another thread interrupts a call, strace prints its end on a separate line. */
const CALL =
  /^(?:\[pid +(\d+)\] )?(?:(pwrite64|write|writev|fdatasync|fsync)\(\d+<([^>]*)>(.*)|<\.{3} f\w*sync resumed>)/gm;
/** What a donation or a withdrawal must be found in after a power cut. */
const KEPT_IN = /(whoflake\.sqlite-wal|withdrawn\.txt)$/;

/** Which answers left the process while something that was written had not reached the disk. */
const readOrder = (output: string) => {
  const unsynced = new Set<string>();
  /** By the thread that is at it. */
  const syncing = new Map<string, string>();
  const tooEarly: string[] = [];
  let syncs = 0;
  const endSync = (path: string): void => {
    if (!KEPT_IN.test(path)) return;
    unsynced.delete(path);
    syncs += 1;
  };
  for (const [, thread = '', call, path = '', rest = ''] of output.matchAll(CALL)) {
    if (call === undefined) endSync(syncing.get(thread) ?? '');
    else if (!call.endsWith('sync')) {
      if (KEPT_IN.test(path)) unsynced.add(path);
      else if (rest.includes('HTTP/1.1 2') && unsynced.size > 0) tooEarly.push([...unsynced].join(', '));
    } else if (rest.endsWith('<unfinished ...>')) syncing.set(thread, path);
    else endSync(path);
  }
  return { syncs, tooEarly };
};

export const checkDurableAnswers = async (): Promise<FuzzResult> => {
  await using world = await startWorld({ tokens: 0 });
  const tokens = await world.sandbox.mintTokens(DONATIONS, 0);
  const tally = createTally();
  const watched = await trace(world.server.pid, [
    '-y',
    '--string-limit=40',
    '--trace=pwrite64,write,writev,fdatasync,fsync',
  ]);
  for (const [n, token] of tokens.entries()) {
    const ask = async (path: string): Promise<number> =>
      (await world.visitors.next().ask(path, { token })).status;
    tally.check((await ask('/donate-token')) === 201, () => `donation ${n} failed`);
    tally.check((await ask('/withdraw-token')) === 200, () => `withdrawal ${n} failed`);
  }
  await watched[Symbol.asyncDispose]();
  const { syncs, tooEarly } = readOrder(watched.output());
  // A donation syncs the log, a withdrawal the list and the log.
  tally.check(syncs >= 3 * DONATIONS, () => `only ${syncs} syncs were seen`);
  tally.check(tooEarly.length === 0, () => `answered before ${tooEarly[0]} was on disk`);
  // The first thread has the number of the process: it serves the visitors.
  const waited = new RegExp(`^\\[pid +${world.server.pid}\\] f\\w*sync.*`, 'm').exec(watched.output());
  tally.check(waited === null, () => `all visitors waited for ${waited?.[0]}`);
  return { note: `${syncs} syncs`, ...tally.result() };
};

const ROUNDS = 10;
const FIRST_DONATED = 1_000;
const donateThroughFault = async (tally: Tally, world: World, n: number): Promise<void> => {
  const [given, offered] = await world.sandbox.mintTokens(2, FIRST_DONATED + 2 * n);
  const [discord_id = ''] = distinctIds(1, n);
  const expect = async (expected: readonly number[], path: string, body: object): Promise<void> => {
    const { status, code } = await world.visitors.next().ask(path, body);
    tally.check(expected.includes(status), () => `${path} answered ${status} ${code}`);
  };
  await expect([201], '/donate-token', { token: given });
  {
    // Nothing that the process syncs to disk gets there meanwhile.
    await using _fault = await trace(world.server.pid, [
      '--trace=fsync,fdatasync',
      '--inject=fsync,fdatasync:error=EIO',
    ]);
    await expect([503], '/donate-token', { token: offered });
    await expect([503], '/withdraw-token', { token: given });
    await expect([200, 404], '/lookup', { discord_id });
  }
  await expect([201], '/donate-token', { token: offered });
  await expect([200], '/withdraw-token', { token: given });
};

export const donateWhileDiskFails = async (): Promise<FuzzResult> => {
  await using world = await startWorld({ tokens: 1 });
  const tally = createTally();
  for (let n = 0; n < ROUNDS; n += 1) await donateThroughFault(tally, world, n);
  world.server.signal('SIGKILL');
  await world.server.ended;
  const { kept, unreadable } = await readStoredTokens(world.dataDir);
  tally.check(kept.size === ROUNDS && unreadable === 0, () => `${kept.size} kept, ${unreadable} unreadable`);
  return tally.result();
};

/** Every question about the folder and the database fails: the server must stay, say so, and answer its visitors. */
export const failQuestionsOfDisk = async (): Promise<FuzzResult> => {
  await using world = await startWorld({ tokens: 1 });
  const tally = createTally();
  const calls = 'statfs,fstatfs,stat,statx,lstat,newfstatat,openat';
  const paths = [world.dataDir, join(world.dataDir, DATABASE_FILE)].flatMap((path) => ['-P', path]);
  const becomes = async (expected: number): Promise<void> => {
    let status = 0;
    for (let tries = 0; status !== expected && tries < READY_TRIES; tries += 1) {
      await pause(100);
      ({ status } = await world.readAdmin('/readyz'));
    }
    tally.check(status === expected, () => `readiness is ${status}, not ${expected}`);
  };
  {
    await using _fault = await trace(world.server.pid, [
      ...paths,
      `--trace=${calls}`,
      `--inject=${calls}:error=EIO`,
    ]);
    await becomes(503);
    const metrics = await world.readAdmin('/metrics');
    tally.check(metrics.status === 200, () => `metrics: ${metrics.status}`);
    for (const discord_id of distinctIds(20)) {
      const { status, code } = await world.visitors.next().ask('/lookup', { discord_id });
      tally.check([200, 404].includes(status), () => `a lookup: ${status} ${code}`);
    }
  }
  await becomes(200);
  return tally.result();
};
