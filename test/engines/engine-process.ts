import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

export type EngineProcess = AsyncDisposable & {
  /** What it says when it is ready. */
  readonly ready: string;
};

export type EngineCommand = {
  readonly program: string;
  readonly args: (folder: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Its first group is what the process says when it is ready; absent if it says nothing. */
  readonly readyLine?: RegExp;
};

/** Runs a program in a folder of its own, as the leader of a group that ends with it. */
export const startEngineProcess = async (command: EngineCommand): Promise<EngineProcess> => {
  const folder = temporaryFolder();
  const child = spawn(command.program, command.args(folder.path), {
    detached: true,
    env: { PATH: '/usr/bin:/bin', HOME: folder.path, XDG_RUNTIME_DIR: folder.path, ...command.env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const dispose = async (): Promise<void> => {
    try {
      process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
    } catch {
      // It has ended already.
    }
    await ended;
    folder[Symbol.dispose]();
  };
  try {
    const ready = command.readyLine === undefined ? '' : await sayingReady(child, command.readyLine);
    return { ready, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
};

const sayingReady = (child: ReturnType<typeof spawn>, line: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    for (const output of child.stdio.slice(1)) {
      output?.on('data', (bytes: Buffer) => {
        said += bytes.toString();
        const [, ready] = line.exec(said) ?? [];
        if (ready !== undefined) resolve(ready);
      });
    }
    child.once('error', reject);
    child.once('close', () => reject(new Error(`${child.spawnfile} ended: ${said}`)));
  });
