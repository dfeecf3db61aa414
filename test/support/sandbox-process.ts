import { join } from 'node:path';
import { request } from 'undici';
import type { TrafficStats } from '#sandbox/api/traffic-stats.ts';
import { startProgram } from './program-process.ts';

/** The sandbox in its own process, steered through its control routes. */
export type SandboxProcess = AsyncDisposable & {
  readonly pid: number;
  readonly apiUrl: string;
  readonly cdnUrl: string;
  readonly mintTokens: (count: number, from: number) => Promise<string[]>;
  readonly stats: () => Promise<TrafficStats>;
};

const SANDBOX = join(import.meta.dirname, '../../src/sandbox/main.ts');

export const startSandboxProcess = async (args: readonly string[] = []): Promise<SandboxProcess> => {
  const { ready: cdnUrl, ...program } = await startProgram({
    program: process.execPath,
    args: () => [SANDBOX, '--port', '0', ...args],
    readyLine: /^CDN +(\S+)$/m,
  });
  return {
    ...program,
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
  };
};
