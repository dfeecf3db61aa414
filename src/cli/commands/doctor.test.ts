import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { PAUSED, READY, useAdminListener } from '#test/support/admin-listener.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { useOperator, type OpsOptions } from '#test/support/operator.ts';

const admin = useAdminListener();
const site = useOperator(async ({ addTokens, ops, elsewhere }) => {
  await addTokens(1);
  await ops(['backup', '--into', elsewhere]);
});
const { ops, dataDir, database, keyring } = site;

type Report = {
  problem_count: number;
  checks: { what: string; state: string; finding: string; remedy?: string }[];
};

const problemsOf = async (options: OpsOptions = admin) => {
  const { stdout, exitCode } = await ops(['doctor', '--json'], options);
  const { problem_count: problems, checks } = JSON.parse(stdout) as Report;
  expect(exitCode).toBe(problems === 0 ? 0 : 1);
  const wrong = checks.filter(({ state }) => state === 'failed');
  expect(wrong.filter(({ remedy = '' }) => remedy.endsWith('.'))).toHaveLength(problems);
  return wrong.map(({ what, finding }) => `${what}: ${finding}`);
};

const sqlite = (statement: string): void => {
  using opened = new DatabaseSync(database);
  opened.exec(statement);
};

it('the doctor finds nothing wrong where nothing is', async () => {
  const env = { ...admin.env, BACKUP_DIR: site.elsewhere };
  const { exitCode, stdout } = await ops(['doctor'], { env });
  expect(stdout).toContain('No problems found.');
  expect(stdout).toMatch(/ok +keyring +opens 1 stored token\n/);
  expect(exitCode).toBe(0);
});

const faults = () => site.sandbox.faults;
const SPOILT_TOKEN = 'update donated_token set ciphertext = zeroblob(40)';
const TRIGGER = 'create trigger x after insert on opt_out begin delete from opt_out; end';
const ALTERED = /^records: The database .* has triggers or views that are not ours$/;

it.each<readonly [name: string, problem: RegExp, harm: () => unknown]>([
  [
    'no folder',
    /^data folder: .* does not exist, or cannot be written to$/,
    () => rmSync(dataDir, { recursive: true }),
  ],
  ['a folder open to all', /^data folder: is writable by anyone/, () => chmodSync(dataDir, 0o777)],
  ['a trigger that is not ours', ALTERED, () => sqlite(TRIGGER)],
  ['an exposed keyring', /can be read by others$/, () => chmodSync(keyring, 0o644)],
  ['another keyring', /^records: The keyring .* is damaged$/, () => writeFileSync(keyring, '{}')],
  ['an altered token', /^keyring: cannot open 1 of 1 stored token$/, () => sqlite(SPOILT_TOKEN)],
  [
    'no list of the withdrawn',
    /^records: The list of withdrawn tokens .* cannot be read$/,
    () => mkdirSync(join(dataDir, 'withdrawn.txt')),
  ],
  ['a ban', /^platform: .* is refusing requests from this machine$/, () => faults().set({ ban: 'html' })],
  ['a platform that is gone', /^platform: .* does not answer properly$/, () => site.sandbox.close()],
])('the doctor finds %s', async (_name, problem, harm) => {
  await harm();
  expect(await problemsOf()).toContainEqual(expect.stringMatching(problem));
});

it('the doctor finds the keyring of a real site beside its database, which is a problem where others come', async () => {
  const nowhere = 'http://127.0.0.1:9';
  const env = {
    PLATFORM: 'discord',
    DISCORD_API_URL: nowhere,
    DISCORD_CDN_URL: nowhere,
    CONTACT_EMAIL: 'hello@example.org',
    PAYMENT_URL: 'https://example.org/',
  };
  const finding = 'keyring: is next to the database it unlocks';
  const printed = await site.printed(['doctor'], { env });
  expect(printed).toMatch(/^warning +keyring +is next to the database it unlocks$/m);
  expect(await problemsOf({ env: { ...env, PUBLIC_URL: 'https://lookup.test' } })).toContain(finding);
  expect(await problemsOf()).not.toContain(finding);
});

it('the doctor finds a clock that is wrong, and a server that is gone', async () => {
  const slow = createFakeSystem({ wallMs: realSystem.clock.wallMs() - 40_000 });
  expect(await problemsOf({ system: slow })).toEqual([
    expect.stringMatching(/^platform: this machine's clock is \d+ s behind the platform's$/),
    expect.stringMatching(/^server: does not answer/),
  ]);
});

it.each([
  [{}, 'is not ready'],
  [{ database_replaced: true }, 'still has a database open that was moved, deleted or replaced'],
  [
    { records_problem: 'PostgreSQL: 08006' },
    'cannot apply what commands and donors have changed (PostgreSQL: 08006)',
  ],
  [
    { postgres_problem: 'PostgreSQL: its disk is full (53100)' },
    'cannot use PostgreSQL (PostgreSQL: its disk is full (53100))',
  ],
  [
    { ready: true, paused: PAUSED },
    `has paused lookups since ${PAUSED.since} until ${PAUSED.until}: the platform is blocking our address`,
  ],
])('of a server that says %j the doctor finds that it %s', async (said, finding) => {
  admin.say({ ...READY, ready: false, ...said });
  expect(await problemsOf()).toEqual([`server: ${finding}`]);
});

it('the doctor warns of a server that gets visitors through an unknown proxy', async () => {
  admin.say({ ...READY, untrusted_proxy: { peer: '172.18.0.1' } });
  const warning = /^warning +server +gets visitors through a proxy that is not in TRUSTED_PROXIES/m;
  expect((await ops(['doctor'], admin)).stdout).toMatch(warning);
});

it('the status is not ok if a visitor would be refused', async () => {
  admin.say({ ...READY, paused: { ...PAUSED, cause: 'no-tokens', until: null } });
  expect((await ops(['status'], admin)).exitCode).toBe(1);
});
