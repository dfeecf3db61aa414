import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { parseConfig } from '#server/config.ts';
import { openRecords, type Records } from '#server/open-records.ts';
import { realSystem, type System } from '#server/system.ts';
import { run, type RunOutcome } from '../../src/cli/run.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Settings = Readonly<Record<string, string>>;

export type OpsOptions = {
  readonly input?: string;
  /** What is typed at a terminal when asked; without it there is no terminal. */
  readonly answer?: string;
  readonly env?: Settings;
  /** Whose process it is; that of the tests unless said. */
  readonly uid?: number;
  readonly system?: System;
  readonly pause?: (ms: number) => Promise<void>;
};

/** Runs commands in this process, on real records in a folder of its own and with the real sandbox over loopback. */
export type Operator = {
  readonly ops: (argv: readonly string[], options?: OpsOptions) => Promise<RunOutcome>;
  /** The exit code and all that a command prints, as in `2 There is no database`. */
  readonly printed: (argv: readonly string[], options?: OpsOptions) => Promise<string>;
  /** The document that a command prints with `--json`. */
  readonly json: <T>(argv: readonly string[], options?: OpsOptions) => Promise<T>;
  /** Has the first tokens of the sandbox stored. */
  readonly addTokens: (count: number, env?: Settings) => Promise<RunOutcome>;
  /** Some of everything: two tokens, the link `snow` and an opt-out. */
  readonly fill: () => Promise<unknown>;
  readonly shown: () => string;
  readonly sandbox: Sandbox;
  readonly dataDir: string;
  readonly database: string;
  readonly keyring: string;
  /** An empty folder that is not the site's. */
  readonly elsewhere: string;
  readonly look: <T>(work: (records: Records) => Promise<T>) => Promise<T>;
};

/** Nothing listens there, so no other server on this machine is mistaken for the operator's. */
const NO_SERVER = { ADMIN_PORT: '1' };

/** One operator for a file or a block, with a new site. Each test begins with a new sandbox, and with the files as `prepare` left them. */
export const useOperator = (prepare: (operator: Operator) => Promise<unknown> = async () => {}): Operator => {
  const [folder, prepared] = [temporaryFolder(), temporaryFolder()];
  const dataDir = join(folder.path, 'data');
  const elsewhere = join(folder.path, 'elsewhere');
  let sandbox = createSandbox();
  let urls = { apiUrl: '', cdnUrl: '' };
  let shown: string[] = [];
  const settings = (env: Settings = {}) =>
    parseConfig(
      {
        ...NO_SERVER,
        DATA_DIR: dataDir,
        DISCORD_API_URL: `${urls.cdnUrl}/api/v10`,
        DISCORD_CDN_URL: urls.cdnUrl,
        ...env,
      },
      () => '',
    );
  const asked = async (question: string, { answer = '' }: OpsOptions): Promise<string> => {
    shown.push(question);
    return answer;
  };

  const ops: Operator['ops'] = (argv, options = {}) =>
    run({
      argv,
      readSettings: async () => settings(options.env),
      settingsSource: async () => ({ file: null, names: Object.keys(options.env ?? {}) }),
      paint: (_style, text) => text,
      system: options.system ?? realSystem,
      pause: options.pause ?? (async () => {}),
      version: '1.2.3',
      commit: () => 'f'.repeat(40),
      program: 'ops',
      uid: options.uid ?? process.getuid?.(),
      terminal: {
        isInteractive: options.answer !== undefined,
        ask: (question) => asked(question, options),
        askSecret: (question) => asked(question, options),
        readInput: async () => options.input ?? '',
        progress: (line) => shown.push(line),
      },
    });

  const addTokens: Operator['addTokens'] = (count, env = {}) =>
    ops(['tokens', 'add'], {
      input: Array.from({ length: count }, (_, index) => sandbox.mintToken(index + 1)).join('\n'),
      env: { EGRESS_PER_SECOND: '10000', ...env },
    });

  const operator: Operator = {
    ops,
    printed: async (argv, options) => {
      const { exitCode, stdout, stderr } = await ops(argv, options);
      return `${exitCode} ${stdout}${stderr}`.trimEnd();
    },
    json: async (argv, options) => JSON.parse((await ops([...argv, '--json'], options)).stdout),
    addTokens,
    fill: async () => {
      await addTokens(2);
      await ops(['vanity', 'add', 'snow', 'whoflake']);
      await ops(['optout', 'add', '441997505123577857']);
    },
    shown: () => shown.join('\n'),
    get sandbox() {
      return sandbox;
    },
    dataDir,
    database: join(dataDir, 'whoflake.sqlite'),
    keyring: join(dataDir, 'keyring.json'),
    elsewhere,
    look: async (work) => {
      const parsed = settings();
      if (!parsed.ok) throw new Error(parsed.problems.join(' '));
      const records = await openRecords(parsed.config, realSystem);
      try {
        return await work(records);
      } finally {
        await records.close();
      }
    },
  };

  const startSandbox = async () => {
    await sandbox.close();
    sandbox = createSandbox();
    urls = await sandbox.listen();
    shown = [];
  };
  beforeAll(async () => {
    await startSandbox();
    for (const path of [dataDir, elsewhere]) mkdirSync(path, { mode: 0o700 });
    await ops(['init']);
    await prepare(operator);
    cpSync(folder.path, prepared.path, { recursive: true });
  });
  beforeEach(async () => {
    await startSandbox();
    for (const path of [dataDir, elsewhere]) rmSync(path, { recursive: true, force: true });
    cpSync(prepared.path, folder.path, { recursive: true });
  });
  afterAll(async () => {
    await sandbox.close();
    for (const one of [folder, prepared]) one[Symbol.dispose]();
  });
  return operator;
};
