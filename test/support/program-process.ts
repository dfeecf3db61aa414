import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

export type ProgramProcess = Awaited<ReturnType<typeof startProgram>>;

export type ProgramCommand = {
  readonly program: string;
  readonly args: (folder: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A folder that outlives the process; by default it gets one of its own. */
  readonly folder?: string | undefined;
  /** Whose rights it has, if not ours. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Its first group is what the process says when it is ready; absent if it says nothing. */
  readonly readyLine?: RegExp;
};

/** Runs a program in a folder, as the leader of a group that ends with it. */
export const startProgram = async (command: ProgramCommand) => {
  const own = command.folder === undefined ? temporaryFolder() : null;
  const folder = own?.path ?? command.folder ?? '';
  const child = spawn(command.program, command.args(folder), {
    ...command.user,
    cwd: folder,
    detached: true,
    env: { PATH: '/usr/bin:/bin', HOME: folder, XDG_RUNTIME_DIR: folder, ...command.env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const ended: Promise<unknown> = once(child, 'close');
  let said = '';
  const sayingReady = new Promise<string>((resolve, reject) => {
    if (command.readyLine === undefined) resolve('');
    for (const output of child.stdio.slice(1))
      output?.on('data', (bytes) => {
        said += String(bytes);
        const [, ready] = command.readyLine?.exec(said) ?? [];
        if (ready !== undefined) resolve(ready);
      });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`${child.spawnfile} ended: ${said}`)));
  });
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-(child.pid ?? Number.NaN), name);
    } catch {
      // It has ended already.
    }
  };
  const dispose = async (): Promise<void> => {
    signal('SIGKILL');
    await ended;
    own?.[Symbol.dispose]();
  };
  try {
    const ready = await sayingReady;
    const output = (): string => said;
    return { pid: child.pid ?? Number.NaN, ready, output, signal, ended, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
};
