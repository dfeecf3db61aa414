import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { useOperator } from '#test/support/operator.ts';

const { ops, printed, dataDir, database, keyring, elsewhere } = useOperator(({ fill }) => fill());
const file = join(elsewhere, 'backup.sqlite');

/** A row that its index has under another value: SQLite's quick check does not notice. */
const confuseIndex = (file: string): void => {
  using sqlite = new DatabaseSync(file, { defensive: false });
  sqlite.exec(`create index confused on opt_out (created_day); pragma writable_schema = on;
    update sqlite_schema set sql = 'CREATE INDEX confused ON opt_out (digest)' where name = 'confused'`);
  using again = new DatabaseSync(file);
  expect(again.prepare('pragma quick_check').get()).toEqual({ quick_check: 'ok' });
};

it('a backup is for us alone to read, names the keyring it needs, and is not kept if it is not whole', async () => {
  expect(await printed(['backup', file])).toContain(keyring);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await printed(['backup', '--verify', file])).toMatch(/^0 .*2 tokens, 1 vanity link, 1 opt-out\.$/);
  confuseIndex(file);
  expect(await printed(['backup', '--verify', file])).toBe(
    '74 The file is not a database, or is damaged: use another.',
  );
  writeFileSync(database, readFileSync(database).fill(0xff, 4_096, 5_000));
  expect(await ops(['backup', join(elsewhere, 'second.sqlite')])).toMatchObject({ exitCode: 74 });
  expect(readdirSync(elsewhere)).toEqual(['backup.sqlite']);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('trial'))).toEqual([]);
});

it('a backup that the keyring does not open is not kept', async () => {
  renameSync(keyring, join(dataDir, 'elsewhere'));
  expect(await printed(['backup', file])).toMatch(/^70 The keyring .* is missing/);
  expect([readdirSync(elsewhere), existsSync(keyring)]).toEqual([[], false]);
});

it('a backup replaces no file, and --keep is refused without a series', async () => {
  expect(await printed(['backup', database])).toMatch(/^2 The file already exists/);
  expect(await printed(['backup', file, '--keep', '3'])).toMatch(/--keep .* only works with --into/);
  expect(readdirSync(elsewhere)).toEqual([]);
});

const MADE_MS = Date.parse('2026-11-15T03:04:05.678Z');
const DAY_MS = 86_400_000;
const on = (day: number) => ({
  system: { ...realSystem, clock: { ...realSystem.clock, wallMs: () => MADE_MS + day * DAY_MS } },
});
const nameOn = (day: number): string => `whoflake-2026-11-${15 + day}T03-04-05Z.sqlite`;
const backUp = (day: number, keep: number) =>
  ops(['backup', '--into', elsewhere, '--keep', String(keep), '--json'], on(day));

it('a series of backups keeps the newest, and touches nothing that is not of it', async () => {
  writeFileSync(join(elsewhere, 'whoflake-2020-01-01.sqlite'), 'mine');
  mkdirSync(join(elsewhere, 'whoflake-2020-01-01T00-00-00Z.sqlite'));
  // Of a command that was killed, and of one that is at work.
  for (const day of ['16', '18']) {
    const draft = join(elsewhere, `trial-AbCd${day}`);
    mkdirSync(draft);
    utimesSync(draft, new Date(), new Date(`2026-11-${day}T03:00:00Z`));
  }
  // Of a time when the clock was wrong.
  writeFileSync(join(elsewhere, 'whoflake-2099-01-01T00-00-00Z.sqlite'), '');
  const foreign = readdirSync(elsewhere).filter((name) => name !== 'trial-AbCd16');
  for (const day of [0, 1, 2, 3]) expect(await backUp(day, 3)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(elsewhere).toSorted()).toEqual([...foreign, nameOn(2), nameOn(3)].toSorted());
  expect(JSON.parse((await backUp(4, 1)).stdout)).toMatchObject({
    pruned: [nameOn(2), nameOn(3), 'whoflake-2099-01-01T00-00-00Z.sqlite'],
  });
});

it('a series has an age that is reported; a backup that fails its check does not reset it', async () => {
  const env = { BACKUP_DIR: elsewhere };
  const doctor = (day: number) => printed(['doctor'], { ...on(day), env });
  expect(await printed(['doctor'])).toMatch(/^warning +backup +BACKUP_DIR is not set$/m);
  expect(await doctor(0)).toMatch(/^warning +backup +there is none in \S+ yet$/m);
  await backUp(0, 2);
  expect(await printed(['status'], { ...on(1), env })).toMatch(
    /^Backup +24 hours ago: .*2026-11-15T03-04-05Z/m,
  );
  expect(await doctor(1)).toMatch(/^ok +backup +the last good one is 24 hours old: .*2026-11-15T03-04-05Z/m);
  renameSync(keyring, join(elsewhere, 'keyring'));
  expect(await backUp(1, 1)).toMatchObject({ exitCode: 70 });
  renameSync(join(elsewhere, 'keyring'), keyring);
  writeFileSync(join(elsewhere, nameOn(2)), 'not a database');
  expect(await doctor(3)).toMatch(
    /^failed +backup +the last good one is 3 days old: .*2026-11-15T03-04-05Z/m,
  );
});
