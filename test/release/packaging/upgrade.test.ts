// @module-tag slow
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usePostgres } from '#test/support/databases.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import {
  breakingStart,
  createReleaseMachine,
  ends,
  MAIN,
  MIGRATE,
  withMigration,
} from './release-machine.ts';

const SHELLCHECK = '/usr/bin/shellcheck';
const canRun = process.platform === 'linux' && spawnSync('git', ['--version']).status === 0;

const breakingMigration = (text: string): string =>
  text.replace('create table if not exists "schema_migration"', 'create broken table');

describe.runIf(canRun)('ops/upgrade.sh', () => {
  let machine: Awaited<ReturnType<typeof createReleaseMachine>>;
  beforeAll(async () => {
    machine = await createReleaseMachine();
    machine.release('v1.0.0');
    machine.cloneSource();
  });
  afterAll(() => machine?.[Symbol.dispose]());
  const optOuts = (): number => JSON.parse(machine.ops('optout', 'list', '--json').said).opt_outs.length;
  const unit = (): string => readFileSync(machine.at('units/whoflake.service'), 'utf8');

  it.runIf(existsSync(SHELLCHECK))('is what shellcheck calls clean', () => {
    const { status, stdout } = spawnSync(SHELLCHECK, [machine.at('repository/ops/upgrade.sh')], {
      encoding: 'utf8',
    });
    expect([stdout, status]).toEqual(['', 0]);
  });

  it('installs the newest version, and starts nothing', () => {
    machine.release('v1.0.1-rc1');
    machine.release('v1.0.1');
    expect(machine.upgrade()).toEqual({
      status: 0,
      said: 'Building v1.0.1…\nv1.0.1 is installed. Nothing is running yet.\n',
    });
    expect(machine.current()).toBe('releases/v1.0.1');
    writeFileSync(
      machine.at('units/whoflake.service'),
      readFileSync(machine.at('whoflake/current/ops/whoflake.service')),
    );
    expect(machine.systemctl('restart').status).toBe(0);
    expect(machine.ops('optout', 'add', '80351110224678912').status).toBe(0);
  });

  it('changes over to another, with its unit and with a backup', () => {
    machine.release('v1.1.0', { 'ops/whoflake.service': (text) => `${text}# 1.1.0\n` });
    const { status, said } = machine.upgrade();
    expect([status, said]).toEqual([0, expect.stringContaining('v1.1.0 runs.')]);
    expect([machine.current(), machine.running()]).toEqual(['releases/v1.1.0', 'v1.1.0']);
    expect(unit()).toContain('# 1.1.0');
    expect(readdirSync(machine.at('backups'))).toEqual([expect.stringMatching(/^before-v1\.1\.0-/)]);
    expect(machine.upgrade()).toEqual({ status: 0, said: 'v1.1.0 is already installed.\n' });
  });

  it('touches nothing if it cannot be found or built, or fails on the copy', () => {
    writeFileSync(machine.at('repository/ops/note'), 'v1.1.1');
    machine.release('v1.1.1');
    expect(machine.upgrade('v7')).toEqual(ends(1, 'no version'));
    writeFileSync(machine.at('npm-is-broken'), '');
    expect(machine.upgrade()).toEqual(ends(1, 'could not be built'));
    rmSync(machine.at('npm-is-broken'));
    const id = machine.git('rev-parse', 'v1.1.1:ops/note').trim();
    const object = machine.at(`whoflake/source/.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
    renameSync(object, machine.at('object'));
    expect(machine.upgrade()).toEqual(ends(1, 'v1.1.1 could not be unpacked: nothing was changed.'));
    renameSync(machine.at('object'), object);
    expect(machine.upgradeSigned()).toEqual(
      ends(1, 'v1.1.1 has no signature that git trusts: nothing was changed.'),
    );
    machine.release('v1.1.2', { [machine.builtFrom(MIGRATE)]: breakingMigration });
    expect(machine.upgrade()).toEqual(
      ends(1, 'v1.1.2 did not get through a trial on a copy of the database: nothing was changed.'),
    );
    expect([machine.current(), machine.running()]).toEqual(['releases/v1.1.0', 'v1.1.0']);
    expect(readdirSync(machine.at('whoflake/releases'))).not.toContain('v1.1.1.part');
    machine.git('reset', '--quiet', '--hard', 'v1.1.0');
  });

  it('goes back by itself if a release does not become ready, with the database if that was changed', () => {
    machine.release('v1.2.0', {
      [machine.builtFrom(MIGRATE)]: withMigration,
      [MAIN]: breakingStart,
      'ops/whoflake.service': (text) => `${text}# 1.2.0\n`,
    });
    const { status, said } = machine.upgrade();
    expect([status, said]).toEqual([1, expect.stringContaining('v1.1.0 is running again')]);
    expect(said).toContain('The database is restored from');
    expect([machine.current(), machine.running(), optOuts()]).toEqual(['releases/v1.1.0', 'v1.1.0', 1]);
    expect(unit()).not.toContain('# 1.2.0');
    machine.git('reset', '--quiet', '--hard', 'v1.1.0');
  });

  it('takes a backup that the operator has made, and goes back over a changed database only if it is told to', () => {
    machine.release('v1.4.0', { [machine.builtFrom(MIGRATE)]: withMigration });
    expect(machine.upgrade('--backup', 'nowhere')).toEqual(
      ends(1, `There is no file ${machine.at('nowhere')}: nothing was changed.`),
    );
    expect(machine.ops('backup', machine.at('mine.sqlite')).status).toBe(0);
    expect(machine.upgrade('--backup', 'mine.sqlite')).toEqual(ends(0, 'v1.4.0 runs.'));
    expect(machine.ops('optout', 'add', '80351110224678913').status).toBe(0);
    const refused = machine.upgrade('--rollback');
    expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('--with-database')]);
    expect([machine.running(), optOuts()]).toEqual(['v1.4.0', 2]);
    expect(machine.upgrade('--rollback', '--with-database')).toEqual(
      ends(0, `The database is restored from ${machine.at('mine.sqlite')}`),
    );
    expect([machine.running(), optOuts()]).toEqual(['v1.1.0', 1]);
    machine.git('reset', '--quiet', '--hard', 'v1.1.0');
  });

  it('takes none if it is told to', () => {
    machine.release('v1.5.0');
    expect(machine.upgrade('--no-backup').status).toBe(0);
    expect(machine.running()).toBe('v1.5.0');
    expect(readdirSync(machine.at('backups')).filter((name) => /v1\.[45]/.test(name))).toEqual([]);
    expect(machine.upgrade('--rollback').status).toBe(0);
  });

  it('goes back step by step, as far as releases are kept', () => {
    expect(machine.upgrade('--rollback').status).toBe(0);
    expect([machine.running(), unit()]).toEqual(['v1.0.1', expect.not.stringContaining('# 1.1.0')]);
    expect(machine.upgrade('--rollback')).toEqual({
      status: 1,
      said: 'There is no release before v1.0.1.\n',
    });
  });
});

describe.runIf(canRun && POSTGRES_MISSING === null)('ops/upgrade.sh with PostgreSQL', () => {
  const postgres = usePostgres();

  it('wants a backup of the operator, and upgrades once it is told of one', async () => {
    using machine = await createReleaseMachine({ DATABASE_URL: await (await postgres()).newDatabase() });
    machine.release('v1.0.0');
    machine.cloneSource();
    expect(machine.upgrade().status).toBe(0);
    expect(machine.ops('init').status).toBe(0);
    expect(machine.systemctl('restart').status).toBe(0);
    machine.release('v1.1.0');
    expect(machine.upgrade()).toEqual(
      ends(1, /nothing was changed\. .*use pg_dump.* run upgrade\.sh --backup <file>, or --no-backup\./s),
    );
    expect(machine.running()).toBe('v1.0.0');
    writeFileSync(machine.at('whoflake.dump'), 'made with pg_dump');
    expect(machine.upgrade('--backup', 'whoflake.dump').status).toBe(0);
    expect(machine.running()).toBe('v1.1.0');
  });
});
