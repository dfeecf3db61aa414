import { expect, it } from 'vitest';
import type { LastBackup } from '#server/storage/last-backup.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createHousekeeping } from './housekeeping.ts';

const HOUR_MS = 3_600_000;
const CHECKS = [
  { what: 'data folder', state: 'failed', finding: '3 MB free', remedy: 'free up disk space.' },
  { what: 'server', state: 'failed', finding: 'has paused lookups' },
  { what: 'servers', state: 'warning', finding: '1 of 2 running', remedy: 'start it again.' },
];
const OK: Readonly<Record<string, unknown>> = { state: 'ok' };

const start = (folder: string, { isFirst = true, answer = OK } = {}) => {
  const { clock, advance } = createFakeSystem({ wallMs: Date.UTC(2026, 10, 18, 3) });
  const runs: string[] = [];
  const logged: unknown[] = [];
  let last: LastBackup | null = null;
  const housekeeping = createHousekeeping({
    clock,
    logger: { info: () => {}, warn: (event: unknown) => void logged.push(event) },
    run: async (args) => {
      runs.push(args.join(' '));
      if (args[0] === 'doctor') return { checks: CHECKS };
      if (answer['state'] === 'ok') last = { at: new Date(clock.wallMs()).toISOString(), file: 'x' };
      return answer;
    },
    backupDir: folder,
    lastBackup: () => last,
    isWatched: true,
    isFirst: async () => isFirst,
  });
  housekeeping.start();
  return { ...housekeeping, runs, logged, advance };
};

it('a backup is made each day, and seven are kept', async () => {
  using folder = temporaryFolder();
  const { runs, advance } = start(folder.path);
  await advance(48 * HOUR_MS);
  const backups = runs.filter((args) => args.startsWith('backup'));
  expect(backups).toEqual(Array(3).fill(`backup --into ${folder.path} --keep 7`));
});

it('a backup that failed is tried again, and the log says why', async () => {
  using folder = temporaryFolder();
  const { logged, runs, advance } = start(folder.path, { answer: { state: 'failed', error: 'No space.' } });
  await advance(HOUR_MS);
  expect(runs.filter((args) => args.startsWith('backup')).length).toBeGreaterThan(2);
  expect(logged[0]).toEqual({ event: 'backup-failed', error: 'No space.' });
});

it('what the doctor finds is handed on, but for what is told otherwise, by one server alone', async () => {
  using folder = temporaryFolder();
  const { findings, advance } = start(folder.path);
  await advance(HOUR_MS);
  expect(findings()).toEqual([
    { event: 'data-folder', text: 'data folder: 3 MB free. What helps: free up disk space.' },
    { event: 'servers', text: 'servers: 1 of 2 running. What helps: start it again.' },
  ]);
  const other = start(folder.path, { isFirst: false });
  await other.advance(HOUR_MS);
  expect(other.findings().map(({ event }) => event)).toEqual(['data-folder']);
});
