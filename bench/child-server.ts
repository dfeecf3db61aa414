import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A server of ours in a process of its own. */
export type ChildServer = AsyncDisposable & {
  readonly pid: number;
  readonly port: number;
  /** From the command to the first answer. */
  readonly startMs: number;
};

export type ChildServerOptions = {
  /** What Node is started with. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly port: number;
  /** Node starts the server as a process of its own, as npm does, and does not stop it. */
  readonly group?: boolean;
};

const START_LIMIT_MS = 20_000;
const POLL_MS = 5;

export const temporaryFolder = (): Disposable & { readonly path: string } => {
  const path = mkdtempSync(join(tmpdir(), 'whoflake-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
};

const answers = async (port: number): Promise<boolean> => {
  try {
    await fetch(`http://127.0.0.1:${port}/healthz`);
    return true;
  } catch {
    return false;
  }
};

const isAlive = (group: number): boolean => {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
};

const endGroup = async (group: number): Promise<void> => {
  process.kill(-group, 'SIGTERM');
  while (isAlive(group)) await delay(POLL_MS);
};

/** Resolves once the server answers; disposing of it waits until the process is gone. */
export const startChildServer = async (options: ChildServerOptions): Promise<ChildServer> => {
  const { args, env = {}, port, group = false } = options;
  const beginMs = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: group,
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  });
  const stop = async (): Promise<void> => {
    if (group && child.pid !== undefined) return endGroup(child.pid);
    child.kill();
    await exited;
  };
  const deadlineMs = beginMs + START_LIMIT_MS;
  while (!(await answers(port))) {
    if (child.pid === undefined || child.exitCode !== null || performance.now() > deadlineMs) {
      await stop();
      throw new Error(`${args.join(' ')} did not start.`);
    }
    await delay(POLL_MS);
  }
  const startMs = performance.now() - beginMs;
  return { pid: child.pid as number, port, startMs, [Symbol.asyncDispose]: stop };
};
