import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { parseConfig, type Config } from '#server/config.ts';
import { openRecords, type Records } from '#server/open-records.ts';
import { realSystem, type System } from '#server/system.ts';
import type { Paint } from '../../src/cli/output.ts';
import { run, type RunOutcome } from '../../src/cli/run.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type OpsOptions = {
  /** What is on standard input. */
  readonly input?: string;
  /** What is typed at a terminal when asked; without it there is no terminal. */
  readonly answer?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whose process it is; that of the tests unless said. */
  readonly uid?: number;
  readonly paint?: Paint;
  readonly system?: System;
  readonly pause?: (ms: number) => Promise<void>;
};

export type Operator = {
  readonly ops: (argv: readonly string[], options?: OpsOptions) => Promise<RunOutcome>;
  /** The document that a command prints with `--json`. */
  readonly json: <T>(argv: readonly string[], options?: OpsOptions) => Promise<T>;
  /** All questions and all progress so far. */
  readonly shown: () => string;
  readonly sandbox: Sandbox;
  readonly config: Config;
  readonly dataDir: string;
  /** Looks into the records on a connection of its own. */
  readonly look: <T>(work: (records: Records) => Promise<T>) => Promise<T>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Nothing is listening there, so nobody mistakes a server of this machine for the operator's. */
const NO_SERVER = { ADMIN_PORT: '1' };

/** Runs commands in this process, with settings that all of them have, on real records in a folder of its own and with the real sandbox over loopback. */
export const startOperator = async (always: Readonly<Record<string, string>> = {}): Promise<Operator> => {
  const folder = temporaryFolder();
  const sandbox = createSandbox();
  const { apiUrl, cdnUrl } = await sandbox.listen();
  const shown: string[] = [];
  const settings = (env: Readonly<Record<string, string>> = {}) =>
    parseConfig(
      {
        ...NO_SERVER,
        DATA_DIR: folder.path,
        DISCORD_API_URL: apiUrl,
        DISCORD_CDN_URL: cdnUrl,
        ...always,
        ...env,
      },
      () => '',
    );
  const parsed = settings();
  if (!parsed.ok) throw new Error(parsed.problems.join(' '));
  const { config } = parsed;

  const ops: Operator['ops'] = (argv, options = {}) =>
    run({
      argv,
      readSettings: async () => settings(options.env),
      settingsSource: async () => ({ file: null, names: Object.keys(options.env ?? {}) }),
      paint: options.paint ?? ((_style, text) => text),
      system: options.system ?? realSystem,
      pause: options.pause ?? (async () => {}),
      version: '1.2.3',
      program: 'ops',
      uid: options.uid ?? process.getuid?.(),
      terminal: {
        isInteractive: options.answer !== undefined,
        ask: async (question) => {
          shown.push(question);
          return options.answer ?? '';
        },
        askSecret: async (question) => {
          shown.push(question);
          return options.answer ?? '';
        },
        readInput: async () => options.input ?? '',
        progress: (line) => shown.push(line),
      },
    });

  return {
    ops,
    json: async (argv, options) => JSON.parse((await ops([...argv, '--json'], options)).stdout),
    shown: () => shown.join('\n'),
    sandbox,
    config,
    dataDir: folder.path,
    look: async (work) => {
      const records = await openRecords(config, realSystem);
      try {
        return await work(records);
      } finally {
        await records.close();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox.close();
      folder[Symbol.dispose]();
    },
  };
};
