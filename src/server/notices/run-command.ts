import { execFile } from 'node:child_process';
import { settingsFileOf } from '#server/setting-reader.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { RunCommand } from './housekeeping.ts';

const PATIENCE_MS = 600_000;
const MAX_BYTES = 2 ** 24;

export const createRunCommand =
  (ops: string, env: NodeJS.ProcessEnv): RunCommand =>
  (args) =>
    new Promise((resolve) => {
      const file = settingsFileOf(env);
      const all = ['--', ops, ...args, '--json', ...(file === undefined ? [] : ['--env-file', file])];
      execFile(
        process.execPath,
        all,
        { env, timeout: PATIENCE_MS, maxBuffer: MAX_BYTES },
        (_error, stdout) => {
          const document = parseJson(stdout);
          resolve(typeof document === 'object' ? (document as Awaited<ReturnType<RunCommand>>) : null);
        },
      );
    });
