import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOperator } from '#test/support/operator.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ID = '441997505123577857';

describe('optout', () => {
  it('adds, lists and removes an id without keeping or showing it', async () => {
    await using operator = await startOperator();
    const { ops, json } = operator;
    const outcomes = [
      await ops(['optout', 'add', `<@!${ID}>`]),
      await ops(['optout', 'add', `https://discord.com/users/${ID}`]),
      await ops(['optout', 'list']),
    ];
    expect(outcomes.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
      [0, '1 ID added.\n'],
      [0, '0 IDs added.\n1 ID already on the list.\n'],
      [0, expect.stringMatching(/^DIGEST +DAY\n[0-9a-f]{12} {2}\d{4}-\d\d-\d\d\n1 ID on the list\.\n$/)],
    ]);
    expect(JSON.stringify(outcomes)).not.toContain(ID);
    expect(await ops(['optout', 'remove', ID])).toMatchObject({ exitCode: 2 });
    expect(await json(['optout', 'remove', ID, '--yes'])).toEqual({ state: 'ok', removed: 1 });
    expect(await json(['optout', 'list'])).toEqual({ state: 'ok', count: 0, opt_outs: [] });
    expect(await ops(['optout', 'remove', ID, '--yes'])).toMatchObject({
      exitCode: 2,
      stderr: 'The ID is not on the list: nothing was removed.\n',
    });
  });

  it('is refused without the keyring that the server has begun with, and so is a token', async () => {
    using keys = temporaryFolder();
    await using operator = await startOperator();
    const { ops, sandbox, dataDir } = operator;
    // What a first start does to the records.
    await ops(['migrate'], { env: { KEYRING_FILE: join(keys.path, 'ring') } });
    const refusal = {
      exitCode: 70,
      stdout: '',
      stderr: expect.stringMatching(/is missing.*set KEYRING_FILE/),
    };
    expect(await ops(['optout', 'add', ID])).toMatchObject(refusal);
    expect(await ops(['tokens', 'add'], { input: sandbox.mintToken(1) })).toMatchObject(refusal);
    expect(readdirSync(dataDir)).toEqual(['whoflake.sqlite']);
    const right = { env: { KEYRING_FILE: join(keys.path, 'ring') } };
    expect(await ops(['optout', 'add', ID], right)).toMatchObject({ exitCode: 0 });
  });

  it('reads ids from standard input, all of them or none', async () => {
    await using operator = await startOperator();
    const { ops, json } = operator;
    expect(await json(['optout', 'add', '-'], { input: `${ID}\n776367000573177858\n` })).toEqual({
      state: 'ok',
      added: 2,
      already: 0,
    });
    expect(await ops(['optout', 'add', '-'], { input: `\n856418480084217864\nnobody\n` })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^Line 3: A Discord ID is all digits/),
    });
    expect(await ops(['optout', 'remove', '-', '--yes'], { input: `${ID}\n1` })).toMatchObject({
      exitCode: 2,
      stderr: 'The ID on line 2 is not on the list: nothing was removed.\n',
    });
    expect(await json(['optout', 'list'])).toMatchObject({ count: 2 });
    const dry = await ops(['optout', 'remove', '-', '--dry-run'], { input: ID });
    expect(dry).toMatchObject({ exitCode: 0, stdout: '1 ID would be removed.\n' });
    expect(await json(['optout', 'list'])).toMatchObject({ count: 2 });
    expect(await json(['optout', 'remove', '-', '--yes'], { input: `${ID}\n${ID}\n` })).toEqual({
      state: 'ok',
      removed: 1,
    });
  });

  it('tells whether somebody is on the list, without repeating who', async () => {
    await using operator = await startOperator();
    const { ops, json } = operator;
    await ops(['optout', 'add', ID]);
    expect((await ops(['optout', 'check', ID])).stdout).toMatch(
      /^The ID has been on the list since \d{4}-\d\d-\d\d\.\n$/,
    );
    expect(await ops(['optout', 'check', '776367000573177858'])).toMatchObject({
      exitCode: 0,
      stdout: 'The ID is not on the list.\n',
    });
    expect(await json(['optout', 'check', '-'], { input: `776367000573177858\n\n${ID}\n` })).toEqual({
      state: 'ok',
      ids: [
        { line: 1, on_list: false, day: null },
        { line: 3, on_list: true, day: expect.any(String) },
      ],
    });
  });

  it.each([
    ['nobody', /^A Discord ID is all digits/],
    ['0', /^Zero/],
    ['99999999999999999999', /too large/],
    ['9223372036854775807', /in the future/],
    ['-', /^No ID given/],
  ])('refuses %s', async (text, sentence) => {
    await using operator = await startOperator();
    const outcome = await operator.ops(['optout', 'add', text]);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
  });
});
