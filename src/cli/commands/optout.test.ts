import { describe, expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

const ID = '441997505123577857';
const OTHER_ID = '776367000573177858';
const { ops, printed, json } = useOperator();
const ONE_REMOVED = { state: 'ok', removed_count: 1, not_listed_count: 0 };

describe('optout', () => {
  it('adds, lists and removes an id without keeping or showing it', async () => {
    const outcomes = [
      await ops(['optout', 'add', `<@!${ID}>`]),
      await ops(['optout', 'add', `https://discord.com/users/${ID}`]),
      await ops(['optout', 'list']),
      await ops(['optout', 'check', ID]),
      await ops(['optout', 'check', OTHER_ID]),
    ];
    expect(outcomes.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
      [0, '1 ID added.\n'],
      [0, '0 IDs added.\n1 ID already on the list.\n'],
      [0, expect.stringMatching(/^DIGEST +DAY\n[0-9a-f]{12} {2}\d{4}-\d\d-\d\d\n1 ID on the list\.\n$/)],
      [0, expect.stringMatching(/^The ID has been on the list since \d{4}-\d\d-\d\d\.\n$/)],
      [0, 'The ID is not on the list.\n'],
    ]);
    expect(JSON.stringify(outcomes)).not.toMatch(new RegExp(`${ID}|${OTHER_ID}`));
    expect(await json(['optout', 'remove', ID, '--yes'])).toEqual(ONE_REMOVED);
    expect(await json(['optout', 'list'])).toEqual({ state: 'ok', opt_outs: [] });
    expect(await printed(['optout', 'remove', ID])).toBe('0 0 IDs removed.\n1 ID not on the list.');
  });

  it('reads ids from standard input, all of them or none', async () => {
    expect(await json(['optout', 'add', '-'], { input: `${ID}\n${OTHER_ID}\n` })).toEqual({
      state: 'ok',
      added_count: 2,
      already_listed_count: 0,
    });
    expect(await printed(['optout', 'add', '-'], { input: `\n856418480084217864\nnobody\n` })).toMatch(
      /^2 Line 3: A Discord ID is all digits/,
    );
    expect(await json(['optout', 'check', '-'], { input: `856418480084217864\n\n${ID}\n` })).toEqual({
      state: 'ok',
      ids: [
        { line: 1, listed: false, created_day: null },
        { line: 3, listed: true, created_day: expect.any(String) },
      ],
    });
    expect(await printed(['optout', 'remove', '-', '--yes'], { input: `${ID}\nx` })).toMatch(/^2 Line 2: /);
    const dry = await ops(['optout', 'remove', '-', '--dry-run'], { input: ID });
    expect(dry).toMatchObject({ exitCode: 0, stdout: '1 ID would be removed.\n' });
    expect(await json(['optout', 'list'])).toMatchObject({ opt_outs: { length: 2 } });
    expect(await json(['optout', 'remove', '-', '--yes'], { input: `${ID}\n${ID}\n` })).toEqual(ONE_REMOVED);
  });

  it.each([
    ['nobody', /^2 A Discord ID is all digits/],
    ['9223372036854775807', /^2 .* in the future/],
    ['-', /^2 No ID given/],
  ])('refuses %s', async (text, sentence) => {
    expect(await printed(['optout', 'add', text])).toMatch(sentence);
  });
});
