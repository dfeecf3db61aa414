import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { startOperator, type Operator, type OpsOptions } from '#test/support/operator.ts';

/** An admin listener that says what it is told to. */
const startAdmin = async (answer: object) => {
  const server: Server = createServer((_request, response) => response.end(JSON.stringify(answer)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    env: { ADMIN_PORT: String((server.address() as AddressInfo).port), ADMIN_HOST: '0.0.0.0' },
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const READY = { ready: true, pool: { healthy: 2, cooling: 1 }, invalid_requests: 3 };

describe('status', () => {
  it('makes nothing where there is nothing', async () => {
    await using operator = await startOperator();
    rmSync(operator.dataDir, { recursive: true });
    const { exitCode, stdout } = await operator.ops(['status']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^There is no database in \/.* yet \(no settings file found, see --env-file\)\.\nBackup +none scheduled\nServer +no answer at http:\/\/127\.0\.0\.1:1\n$/,
    );
    expect(await operator.json(['status'])).toMatchObject({ records: null, server: null });
  });

  it('counts what is stored, and repeats what the server says', async () => {
    await using operator = await startOperator();
    using admin = await startAdmin(READY);
    await operator.ops(['tokens', 'add'], { input: operator.sandbox.mintToken(1) });
    await operator.ops(['vanity', 'add', 'snow', 'whoflake']);
    await operator.ops(['vanity', 'pause', 'snow']);
    expect(await operator.json(['status'], admin)).toEqual({
      state: 'ok',
      settings_file: null,
      data_dir: operator.dataDir,
      backup: null,
      records: {
        version: 4,
        tokens: 1,
        retired: { platform: 0, operator: 0, last: null },
        keys: 1,
        links: { active: 0, paused: 1 },
        opt_outs: 0,
      },
      server: READY,
    });
    expect((await operator.ops(['status'], admin)).stdout).toContain('pool: healthy 2, cooling 1\n');
  });
});

type Report = {
  problems: number;
  checks: { what: string; state: string; finding: string; remedy?: string }[];
};

const problemsOf = async (operator: Operator, options?: OpsOptions) => {
  const { stdout, exitCode } = await operator.ops(['doctor', '--json'], options);
  const { problems, checks } = JSON.parse(stdout) as Report;
  expect(exitCode).toBe(problems === 0 ? 0 : 1);
  const wrong = checks.filter(({ state }) => state === 'failed');
  expect(wrong.filter(({ remedy = '' }) => remedy.endsWith('.'))).toHaveLength(problems);
  return wrong.map(({ what, finding }) => `${what}: ${finding}`);
};

describe('doctor', () => {
  it('finds nothing wrong where nothing is', async () => {
    await using operator = await startOperator();
    using admin = await startAdmin(READY);
    await operator.ops(['tokens', 'add'], { input: operator.sandbox.mintToken(1) });
    const { exitCode, stdout } = await operator.ops(['doctor'], admin);
    expect(stdout).toContain('No problems found.');
    expect(stdout).toMatch(/ok +keyring +opens 1 stored token\n/);
    expect(exitCode).toBe(0);
  });

  const isRoot = process.getuid?.() === 0;
  type Case = readonly [name: string, problem: RegExp, harm: (operator: Operator) => unknown];
  const CASES: readonly Case[] = [
    ['no folder', /^data folder: .* does not exist$/, ({ dataDir }) => rmSync(dataDir, { recursive: true })],
    [
      'a folder open to all',
      /^data folder: is writable by anyone/,
      ({ dataDir }) => chmodSync(dataDir, 0o777),
    ],
    [
      'a damaged database',
      /^database: is damaged$/,
      ({ dataDir }) => writeFileSync(join(dataDir, 'whoflake.sqlite'), 'x'.repeat(9_000)),
    ],
    [
      'a newer database',
      /^database: is version 99, which is too new$/,
      ({ dataDir }) => {
        const sqlite = new DatabaseSync(join(dataDir, 'whoflake.sqlite'));
        sqlite.exec(`insert into schema_migration values (99, 'later')`);
        sqlite.close();
      },
    ],
    ['no keyring', /^keyring: .* does not exist$/, ({ config }) => rmSync(config.keyringFile)],
    ['an exposed keyring', /can be read by others$/, ({ config }) => chmodSync(config.keyringFile, 0o644)],
    [
      'another keyring',
      /^keyring: The keyring .* is damaged$/,
      ({ config }) => writeFileSync(config.keyringFile, '{}'),
    ],
    [
      'an altered token',
      /^keyring: cannot open 1 of 1 stored token$/,
      ({ look }) =>
        look(({ database }) =>
          database
            .updateTable('donated_token')
            .set({ ciphertext: new Uint8Array(40) })
            .execute(),
        ),
    ],
    [
      'an unreadable list of the withdrawn',
      /^withdrawn list: /,
      ({ dataDir }) => mkdirSync(join(dataDir, 'withdrawn.txt')),
    ],
    [
      'a platform that is out of order',
      /^platform: .* answers with status 503$/,
      ({ sandbox }) => sandbox.faults.set({ status: { value: 503 } }),
    ],
    [
      'a platform that has banned us',
      /^platform: .* is refusing requests from this machine$/,
      ({ sandbox }) => sandbox.faults.set({ ban: { value: 'html' } }),
    ],
    ['a platform that is gone', /^platform: .* does not answer$/, ({ sandbox }) => sandbox.close()],
  ];

  it.each(CASES)('finds %s', async (_name, problem, harm) => {
    await using operator = await startOperator();
    using admin = await startAdmin(READY);
    await operator.ops(['tokens', 'add'], { input: operator.sandbox.mintToken(1) });
    await harm(operator);
    expect(await problemsOf(operator, admin)).toContainEqual(expect.stringMatching(problem));
    const { stdout } = await operator.ops(['doctor'], admin);
    expect(stdout).toMatch(/\nFix the .*: .*\.\n/);
  });

  it.skipIf(isRoot)('finds a folder that it may not write to', async () => {
    await using operator = await startOperator();
    await operator.ops(['migrate']);
    chmodSync(operator.dataDir, 0o500);
    expect(await problemsOf(operator)).toContainEqual(expect.stringMatching(/cannot be written/));
    chmodSync(operator.dataDir, 0o700);
  });

  it('finds a clock that is wrong, and a server that is gone, not ready or without tokens', async () => {
    await using operator = await startOperator();
    await operator.ops(['migrate']);
    const { wallMs } = realSystem.clock;
    const slow = createFakeSystem({ wallMs: wallMs() - 40_000 });
    expect(await problemsOf(operator, { system: slow })).toEqual([
      expect.stringMatching(/^clock: (?:39|40|41) s behind the platform's$/),
      expect.stringMatching(/^server: no answer/),
    ]);
    using starting = await startAdmin({ ...READY, ready: false });
    using stopping = await startAdmin({ ...READY, ready: false, draining: true, overloaded: true });
    using robbed = await startAdmin({ ...READY, ready: false, database_replaced: true });
    using overloaded = await startAdmin({ ...READY, ready: false, draining: false, overloaded: true });
    const alone = { ...READY, ready: false, shared_store_problem: 'The shared store does not answer' };
    using cutOff = await startAdmin(alone);
    using poor = await startAdmin({ ready: true, pool: { healthy: 0 } });
    expect(await problemsOf(operator, starting)).toEqual(['server: is not ready']);
    expect(await problemsOf(operator, stopping)).toEqual(['server: is stopping']);
    expect(await problemsOf(operator, cutOff)).toEqual([
      'server: cannot use the shared store (The shared store does not answer)',
    ]);
    expect(await problemsOf(operator, robbed)).toEqual([
      'server: still has a database open that was moved, deleted or replaced',
    ]);
    expect(await problemsOf(operator, overloaded)).toEqual([
      'server: is overloaded and turning visitors away',
    ]);
    expect(await problemsOf(operator, poor)).toEqual(['server: has no working token']);
    expect((await operator.ops(['doctor'], poor)).stdout).toContain(
      'Fix the server: add a token with ops tokens add',
    );
    const withoutDonations = { env: { ...poor.env, TOKEN_DONATIONS: 'off' } };
    expect((await operator.ops(['doctor'], withoutDonations)).stdout).toContain(
      'Fix the server: set BOT_TOKENS',
    );
  });

  it('does not take a database for damaged that another program has locked', async () => {
    await using operator = await startOperator();
    using admin = await startAdmin(READY);
    await operator.ops(['migrate']);
    const sqlite = new DatabaseSync(join(operator.dataDir, 'whoflake.sqlite'));
    sqlite.exec('pragma locking_mode = exclusive; begin exclusive; commit');
    const problems = await problemsOf(operator, admin);
    sqlite.close();
    expect(problems).toEqual(['database: is busy']);
    expect(await problemsOf(operator, admin)).toEqual([]);
  });

  it.skipIf(!isRoot)('finds a database that belongs to another user than its folder', async () => {
    await using operator = await startOperator();
    using admin = await startAdmin(READY);
    await operator.ops(['migrate']);
    chownSync(join(operator.dataDir, 'whoflake.sqlite'), 65_534, 65_534);
    expect(await problemsOf(operator, admin)).toEqual([
      'database: belongs to nobody, but its folder belongs to root',
    ]);
    expect((await operator.ops(['doctor'], admin)).stdout).toContain(
      `Fix the database: run chown root ${operator.dataDir}/whoflake.sqlite* as root.`,
    );
  });

  it.skipIf(isRoot)('does not take a database for damaged that it may not read', async () => {
    await using operator = await startOperator();
    using admin = await startAdmin(READY);
    await operator.ops(['migrate']);
    chmodSync(join(operator.dataDir, 'whoflake.sqlite'), 0o000);
    expect(await problemsOf(operator, admin)).toEqual(['database: this user may not open it']);
  });

  it('warns of a keyring beside a database that matters', async () => {
    await using operator = await startOperator();
    using admin = await startAdmin(READY);
    await operator.ops(['migrate']);
    const env = {
      ...admin.env,
      PLATFORM: 'discord',
      CONTACT_EMAIL: 'a@b.example',
      PAYMENT_URL: 'https://b.example/',
    };
    expect(await problemsOf(operator, { env })).toEqual(['keyring: is next to the database it unlocks']);
  });
});
