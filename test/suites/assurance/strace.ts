import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const STRACE = '/usr/bin/strace';

/** A process under the eyes of strace, until it is disposed of. */
export type Trace = AsyncDisposable & { readonly output: () => string };

export const whyNoStrace = (): string | null => (existsSync(STRACE) ? null : 'needs strace');

export const trace = async (pid: number, args: readonly string[]): Promise<Trace> => {
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
