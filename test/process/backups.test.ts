import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createRunCommand } from '#server/notices/run-command.ts';
import { donate } from '#test/support/donor.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startOps } from '#test/support/ops-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp } from '#test/support/test-app.ts';

const OPS = join(import.meta.dirname, '../../bin/ops');

it('with BACKUP_DIR the server has a backup made soon after its start, with the program that is installed', async () => {
  using folder = temporaryFolder();
  const [dataDir, backupDir] = [join(folder.path, 'data'), join(folder.path, 'backups')];
  const env = { DATA_DIR: dataDir, ADMIN_PORT: '1' };
  await using test = await startTestApp({
    dataDir,
    env: { BACKUP_DIR: backupDir },
    runCommand: createRunCommand(OPS, env),
  });
  await donate(test, test.sandbox.mintToken(1));
  await test.app.start();
  await test.pass(31_000, 1_000);
  await vi.waitFor(() => expect(test.logs()).toContain('"event":"backup-made"'), EVENTUALLY);
  const [name = '', ...others] = readdirSync(backupDir);
  expect(others).toEqual([]);
  const verified = startOps(['backup', '--verify', join(backupDir, name), '--json'], { env });
  expect(JSON.parse((await verified.ended).stdout)).toMatchObject({ state: 'ok', token_count: 1 });
});
