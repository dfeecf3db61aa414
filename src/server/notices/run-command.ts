import { execFile } from 'node:child_process';
import { isRecord, parseJson } from '#shared/json.ts';
import type { RunCommand } from './housekeeping.ts';

const PATIENCE_MS = 600_000;
const MAX_BYTES = 2 ** 24;

export const createRunCommand =
  (ops: string, env: NodeJS.ProcessEnv): RunCommand =>
  (args) =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        ['--', ops, ...args, '--json'],
        { env, timeout: PATIENCE_MS, maxBuffer: MAX_BYTES },
        (_error, stdout) => {
          const document = parseJson(stdout);
          resolve(isRecord(document) ? document : null);
        },
      );
    });
