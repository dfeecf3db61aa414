import { spawnSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { createTally, type FuzzResult } from './tally.ts';
import { startAppProcess } from '#test/support/app-process.ts';

const HOLD_MS = 2_000;
const RECOVERY_TRIES = 50;

const PRLIMIT = '/usr/bin/prlimit';

const limitDescriptors = (pid: number, descriptors: number): boolean =>
  spawnSync(PRLIMIT, ['--pid', String(pid), `--nofile=${descriptors}`]).status === 0;

const holdOpen = (port: number): Socket => connect(port, '127.0.0.1').on('error', () => {});

const recovers = async (origin: string): Promise<boolean> => {
  for (let attempt = 0; attempt < RECOVERY_TRIES; attempt += 1) {
    const status = await request(`${origin}/healthz`, { reset: true }).then(
      ({ statusCode, body }) => body.dump().then(() => statusCode),
      () => 0,
    );
    if (status === 200) return true;
    await pause(100);
  }
  return false;
};

type Load = { readonly connections: number; readonly descriptors: number };

/** More connections than the process has descriptors for, again and again. */
export const exhaustDescriptors = async ({ connections, descriptors }: Load): Promise<FuzzResult> => {
  const tally = createTally();
  await using server = startAppProcess({});
  const origin = await server.origin;
  tally.check(limitDescriptors(server.pid, descriptors), () => 'prlimit is missing');
  for (let round = 1; round <= 3; round += 1) {
    const sockets = Array.from({ length: connections }, () => holdOpen(Number(new URL(origin).port)));
    await pause(HOLD_MS);
    const turnedAway = sockets.filter(({ closed }) => closed).length;
    tally.check(turnedAway > connections - descriptors, () => `only ${turnedAway} were turned away`);
    for (const socket of sockets) socket.destroy();
    tally.check(await recovers(origin), () => `no answer after round ${round}: ${server.output()}`);
  }
  server.signal('SIGTERM');
  const { exitCode } = await server.ended;
  tally.check(exitCode === 0, () => `exit code ${exitCode}`);
  return tally.result();
};
