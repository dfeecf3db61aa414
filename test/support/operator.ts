import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { parseConfig } from '#server/config.ts';
import { openRecords, type Records } from '#server/open-records.ts';
import { realSystem, type System } from '#server/system.ts';
import { run } from '../../src/cli/run.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { configOf } from './well-formed.ts';

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

export type Operator = ReturnType<typeof createOperator>;

/** Nothing listens there, so no other server on this machine is mistaken for the operator's. */
const NO_SERVER = { ADMIN_PORT: '1' };

/** Runs commands in this process, on real records below this folder and with the real sandbox over loopback. */
const createOperator = (folder: string) => {
  const dataDir = join(folder, 'data');
  /** An empty folder that is not the site's. */
  const elsewhere = join(folder, 'elsewhere');
  let sandbox = createSandbox();
  let urls = { apiUrl: '', cdnUrl: '' };
  let shown: string[] = [];
  const settings = (env: Settings = {}) => ({
    ...NO_SERVER,
    DATA_DIR: dataDir,
    DISCORD_API_URL: `${urls.cdnUrl}/api/v10`,
    DISCORD_CDN_URL: urls.cdnUrl,
    ...env,
  });
  const asked = async (question: string, { answer = '' }: OpsOptions): Promise<string> => {
    shown.push(question);
    return answer;
  };

  const ops = (argv: readonly string[], options: OpsOptions = {}) =>
    run({
      argv,
      readSettings: async () => parseConfig(settings(options.env), () => ''),
      settingsSource: async () => ({ file: null, exposed: [] }),
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

  /** Has the first tokens of the sandbox stored. */
  const addTokens = (count: number, env: Settings = {}) =>
    ops(['tokens', 'add'], {
      input: Array.from({ length: count }, (_, index) => sandbox.mintToken(index + 1)).join('\n'),
      env: { EGRESS_PER_SECOND: '10000', ...env },
    });

  return {
    ops,
    /** The exit code and all that a command prints, as in `2 There is no database`. */
    printed: async (argv: readonly string[], options?: OpsOptions) => {
      const { exitCode, stdout, stderr } = await ops(argv, options);
      return `${exitCode} ${stdout}${stderr}`.trimEnd();
    },
    /** The document that a command prints with `--json`. */
    json: async <T>(argv: readonly string[], options?: OpsOptions): Promise<T> =>
      JSON.parse((await ops([...argv, '--json'], options)).stdout),
    addTokens,
    /** Some of everything: two tokens, the link `snow` and an opt-out. */
    fill: async () => {
      await addTokens(2);
      await ops(['vanity', 'add', 'snow', 'whoflake']);
      await ops(['optout', 'add', '441997505123577857']);
    },
    shown: () => shown.join('\n'),
    get sandbox() {
      return sandbox;
    },
    startSandbox: async () => {
      await sandbox.close();
      sandbox = createSandbox();
      urls = await sandbox.listen();
      shown = [];
    },
    dataDir,
    database: join(dataDir, 'whoflake.sqlite'),
    keyring: join(dataDir, 'keyring.json'),
    elsewhere,
    look: async <T>(work: (records: Records) => Promise<T>): Promise<T> => {
      const records = await openRecords(configOf(settings()), realSystem);
      try {
        return await work(records);
      } finally {
        await records.close();
      }
    },
  };
};

/** One operator for a file or a block, with a new site. Each test begins with a new sandbox, and with the files as `prepare` left them. */
export const useOperator = (prepare: (operator: Operator) => Promise<unknown> = async () => {}): Operator => {
  const [folder, prepared] = [temporaryFolder(), temporaryFolder()];
  const operator = createOperator(folder.path);
  const { ops, startSandbox, dataDir, elsewhere } = operator;
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
    await operator.sandbox.close();
    for (const one of [folder, prepared]) one[Symbol.dispose]();
  });
  return operator;
};
