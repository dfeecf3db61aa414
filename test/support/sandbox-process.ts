import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { request } from 'undici';
import type { TrafficStats } from '#sandbox/api/traffic-stats.ts';

/** The platform in a process of its own, steered over its control routes. */
export type SandboxProcess = AsyncDisposable & {
  readonly pid: number;
  readonly apiUrl: string;
  readonly cdnUrl: string;
  readonly mintTokens: (count: number, from: number) => Promise<string[]>;
  readonly stats: () => Promise<TrafficStats>;
};

const SANDBOX = join(import.meta.dirname, '../../src/sandbox/main.ts');

export const startSandboxProcess = async (args: readonly string[] = []): Promise<SandboxProcess> => {
  const child = spawn(process.execPath, [SANDBOX, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const cdnUrl = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /^CDN +(\S+)$/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error('The sandbox ended.')));
  });
  return {
    pid: child.pid ?? 0,
    apiUrl: `${cdnUrl}/api/v10`,
    cdnUrl,
    mintTokens: async (count, from) => {
      const { body } = await request(`${cdnUrl}/_sandbox/tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ count, from }),
      });
      return ((await body.json()) as { tokens: string[] }).tokens;
    },
    stats: async () => (await (await request(`${cdnUrl}/_sandbox/stats`)).body.json()) as TrafficStats,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};
