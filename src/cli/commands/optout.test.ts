import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

const ID = '441997505123577857';
const OTHER_ID = '776367000573177858';
const { printed, json } = useOperator();
const ONE_REMOVED = { state: 'ok', removed_count: 1, not_listed_count: 0 };

it('an id is opted out, listed and removed without being kept or shown', async () => {
  const outcomes = [
    await printed(['optout', 'add', `<@!${ID}>`]),
    await printed(['optout', 'add', `https://discord.com/users/${ID}`]),
    await printed(['optout', 'list']),
    await printed(['optout', 'check', ID]),
    await printed(['optout', 'check', OTHER_ID]),
  ];
  expect(outcomes).toEqual([
    '0 1 ID added.',
    '0 0 IDs added.\n1 ID already on the list.',
    expect.stringMatching(/^0 DIGEST +DAY\n[0-9a-f]{12} {2}\d{4}-\d\d-\d\d\n1 ID on the list\.$/),
    expect.stringMatching(/^0 The ID has been on the list since \d{4}-\d\d-\d\d\.$/),
    '0 The ID is not on the list.',
  ]);
  expect(await json(['optout', 'remove', ID, '--yes'])).toEqual(ONE_REMOVED);
});

it('ids are read from standard input, all of them or none', async () => {
  const piped = (...lines: string[]) => ({ input: lines.join('\n') });
  await printed(['optout', 'add', '-'], piped(ID, OTHER_ID));
  expect(await printed(['optout', 'add', '-'], piped('', '856418480084217864', 'nobody'))).toMatch(
    /^2 Line 3: A Discord ID is all digits/,
  );
  expect(await json(['optout', 'check', '-'], piped('856418480084217864', '', ID))).toMatchObject({
    ids: [
      { line: 1, listed: false, created_day: null },
      { line: 3, listed: true },
    ],
  });
  expect(await json(['optout', 'remove', '-', '--yes'], piped(ID, ID))).toEqual(ONE_REMOVED);
});
