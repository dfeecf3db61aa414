// @module-tag slow
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usePostgres } from '#test/support/databases.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { breakingStart, createReleaseMachine, MAIN, MIGRATE, withMigration } from './release-machine.ts';

const postgres = usePostgres();
const hasGit = process.platform === 'linux' && spawnSync('git', ['--version']).status === 0;

describe.runIf(hasGit && POSTGRES_MISSING === null)('ops/upgrade.sh with PostgreSQL', () => {
  let machine: Awaited<ReturnType<typeof createReleaseMachine>>;
  beforeAll(async () => {
    machine = await createReleaseMachine({ DATABASE_URL: await (await postgres()).newDatabase() });
    machine.release('v1.0.0');
    machine.cloneSource();
    expect(machine.upgrade().status).toBe(0);
    expect(machine.ops('vault', 'init')).toMatchObject({ status: 0 });
    machine.systemctl('restart');
    machine.ops('optout', 'add', '80351110224678912');
  });
  afterAll(() => machine?.[Symbol.dispose]());
  const optOuts = (): number => JSON.parse(machine.ops('optout', 'list', '--json').said).opt_outs.length;

  it('needs a trial on a copy, or a backup that the operator names', async () => {
    writeFileSync(machine.at('bin/pg_dump'), '#!/bin/sh\necho "pg_dump: error: not today" >&2\nexit 1\n', {
      mode: 0o755,
    });
    machine.release('v1.1.0');
    const { status, said } = machine.upgrade();
    expect(status).toBe(1);
    expect(said).toContain('nothing was changed. pg_dump failed (not today)');
    expect(said).toContain('run upgrade.sh --backup <file>');
    expect(machine.running()).toBe('v1.0.0');
    writeFileSync(machine.at('mine.dump'), 'PGDMP');
    expect(machine.upgrade('--backup', machine.at('mine.dump'))).toMatchObject({ status: 0 });
    expect(machine.running()).toBe('v1.1.0');
    (await postgres()).installPrograms(machine.at('bin'));
  });

  it('gives the database back if a release changes it and does not become ready', () => {
    machine.release('v1.2.0', { [machine.builtFrom(MIGRATE)]: withMigration, [MAIN]: breakingStart });
    const { status, said } = machine.upgrade();
    expect([status, said]).toEqual([1, expect.stringContaining('v1.1.0 is running again')]);
    expect(said).toContain('The database is restored from');
    expect([machine.running(), optOuts()]).toEqual(['v1.1.0', 1]);
  });
});
