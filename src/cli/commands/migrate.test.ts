import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { inspectDatabase } from '#server/storage/inspect-database.ts';
import { startOperator, type Operator } from '#test/support/operator.ts';

/** As the first version has left it. */
const makeOlder = ({ dataDir }: Operator): void => {
  const sqlite = new DatabaseSync(join(dataDir, 'whoflake.sqlite'));
  sqlite.exec('drop table vanity_link; drop table opt_out; alter table retirement drop column reason');
  sqlite.exec('alter table donated_token drop column format');
  sqlite.exec('delete from schema_migration where number > 1');
  sqlite.close();
};

describe('a database of an older version', () => {
  it.each([
    ['status'],
    ['tokens list'],
    ['vanity list'],
    ['vault status'],
    ['optout add 441997505123577857'],
  ])('is refused and left as it is by %s', async (command) => {
    await using operator = await startOperator();
    await operator.ops(['migrate']);
    makeOlder(operator);
    expect(await operator.ops(command.split(' '))).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'The database is from an older version: run ops migrate, or start the server.\n',
    });
    expect(await operator.json(['migrate'])).toEqual({ state: 'ok', from: 1, to: 4 });
  });

  it('is found by the doctor, and copied as it is by a backup', async () => {
    await using operator = await startOperator();
    await operator.ops(['migrate']);
    makeOlder(operator);
    expect((await operator.ops(['doctor'])).stdout).toMatch(/ok +database +intact, from an older version/);
    const file = join(operator.dataDir, 'backup');
    expect(await operator.ops(['backup', file])).toMatchObject({ exitCode: 0 });
    expect(inspectDatabase(file)).toEqual({ kind: 'outdated', version: 1 });
    expect(await operator.json(['migrate'])).toEqual({ state: 'ok', from: 1, to: 4 });
  });
});

describe('migrate', () => {
  it('makes the database, then finds it up to date', async () => {
    await using operator = await startOperator();
    expect(await operator.ops(['migrate'])).toMatchObject({
      exitCode: 0,
      stdout: 'Created the database at version 4.\n',
    });
    expect(await operator.ops(['migrate'])).toMatchObject({
      stdout: 'The database is up to date, at version 4.\n',
    });
  });

  it('tells from which version to which', async () => {
    await using operator = await startOperator();
    await operator.ops(['migrate']);
    makeOlder(operator);
    expect(await operator.json(['migrate'])).toEqual({ state: 'ok', from: 1, to: 4 });
  });
});
