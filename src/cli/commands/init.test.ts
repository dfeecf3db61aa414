import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOperator, type Operator } from '#test/support/operator.ts';

const loseDatabase = ({ dataDir }: Operator): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `whoflake.sqlite${end}`), { force: true });
};

describe('a database that is gone while its keyring is there', () => {
  it.each([
    'status',
    'migrate',
    'optout list',
    'optout add 441997505123577857',
    'vanity list',
    'tokens list',
    'vault status',
  ])('is not replaced with an empty one by %s', async (command) => {
    await using operator = await startOperator();
    await operator.ops(['init']);
    loseDatabase(operator);
    const outcome = await operator.ops(command.split(' '));
    expect(outcome.exitCode).toBe(80);
    expect(outcome.stderr).toMatch(
      /restore a backup with ops restore, or start a new site with ops init\.\n$/,
    );
  });

  it('is found by the doctor', async () => {
    await using operator = await startOperator();
    await operator.ops(['init']);
    loseDatabase(operator);
    const { stdout, exitCode } = await operator.ops(['doctor']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/database +is missing, but its keyring is there/);
  });
});

describe('init', () => {
  it('begins a new site, also with a keyring that is there, and never over a database', async () => {
    await using operator = await startOperator();
    expect(await operator.ops(['init'])).toMatchObject({ exitCode: 0 });
    loseDatabase(operator);
    expect(await operator.ops(['init'])).toMatchObject({ exitCode: 0 });
    expect(await operator.ops(['optout', 'add', '441997505123577857'])).toMatchObject({ exitCode: 0 });
    expect((await operator.ops(['init'])).exitCode).toBe(2);
    expect(await operator.json(['optout', 'list'])).toMatchObject({ opt_outs: [expect.anything()] });
  });
});
