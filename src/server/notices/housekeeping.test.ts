import { expect, it } from 'vitest';
import type { LastBackup } from '#server/storage/last-backup.ts';
import { DAY_MS, HOUR_MS } from '#server/system.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createHousekeeping } from './housekeeping.ts';

const OK: Readonly<Record<string, unknown>> = { state: 'ok' };

const start = (folder: string | null, answer = OK) => {
  const { clock, advance } = createFakeSystem({ wallMs: Date.UTC(2026, 10, 18, 3) });
  const runs: string[] = [];
  const logged: unknown[] = [];
  const world = {
    last: null as LastBackup | null,
    free: 2 ** 40,
    lost: async () => [{ name: 'b', last_seen: '2026-11-17T03:00:00.000Z' }],
  };
  const housekeeping = createHousekeeping({
    clock,
    logger: { info: () => {}, warn: (event: unknown) => void logged.push(event) },
    run: async (args) => {
      runs.push(args.join(' '));
      if (answer['state'] === 'ok') world.last = { at: new Date(clock.wallMs()).toISOString(), file: 'x' };
      return answer;
    },
    backupDir: folder,
    isBackupExpected: true,
    lastBackup: () => world.last,
    freeBytes: () => world.free,
    lostServers: () => world.lost(),
  });
  housekeeping.start();
  return { ...housekeeping, world, runs, logged, advance };
};

it('a backup is made each day, and seven are kept', async () => {
  using folder = temporaryFolder();
  const { runs, advance } = start(folder.path);
  await advance(2 * DAY_MS);
  expect(runs).toEqual(Array(3).fill(`backup --into ${folder.path} --keep 7`));
});

it('a backup that failed is tried again, and the log says why', async () => {
  using folder = temporaryFolder();
  const { logged, runs, advance } = start(folder.path, { state: 'failed', error: 'No space.' });
  await advance(HOUR_MS);
  expect(runs.length).toBeGreaterThan(2);
  expect(logged[0]).toEqual({ event: 'backup-failed', error: 'No space.' });
});

it('an old backup, a full disk and a lost server are found, also while PostgreSQL is away, which is no failed backup', async () => {
  const { world, findings, logged, runs, advance } = start(null);
  world.last = { at: '2026-11-16T03:00:00.000Z', file: 'x' };
  world.free = 3 * 2 ** 20;
  const found = [
    { event: 'backup', text: expect.stringContaining('is of 2026-11-16T03:00') },
    { event: 'data-folder', text: expect.stringMatching(/^3 MB are free .*What helps/) },
    { event: 'servers', text: expect.stringMatching(/^b was last seen at 2026-11-17T03:00.*--forget/) },
  ];
  await advance(HOUR_MS);
  expect(findings()).toEqual(found);
  world.lost = () => Promise.reject(new Error('away'));
  await advance(HOUR_MS);
  expect(findings()).toEqual(found);
  world.last = null;
  await advance(2 * DAY_MS);
  expect(findings()[0]?.text).toContain('there is no good backup in BACKUP_DIR');
  expect([logged, runs]).toEqual([[], []]);
});
