import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

const ID = '441997505123577857';
const OTHER_ID = '776367000573177858';
const { printed } = useOperator();
const ONE_REMOVED = '0 1 ID removed.';

it('an id is opted out, listed and removed without being kept or shown', async () => {
  const outcomes = [
    await printed(['optout', 'add', `<@!${ID}>`]),
    await printed(['optout', 'add', `https://discord.com/users/${ID}`]),
    await printed(['optout', 'check', ID]),
    await printed(['optout', 'check', OTHER_ID]),
  ];
  expect(outcomes).toEqual([
    '0 1 ID added.',
    '0 0 IDs added.\n1 ID already on the list.',
    expect.stringMatching(/^0 LINE .*\n1 +yes +\d{4}-\d\d-\d\d$/),
    expect.stringMatching(/^0 LINE .*\n1 +no +-$/),
  ]);
  expect(await printed(['optout', 'remove', ID, '--yes'])).toBe(ONE_REMOVED);
});

it('ids are read from standard input, all of them or none', async () => {
  const piped = (...lines: string[]) => ({ input: lines.join('\n') });
  await printed(['optout', 'add', '-'], piped(ID, OTHER_ID));
  expect(await printed(['optout', 'add', '-'], piped('', '856418480084217864', 'nobody'))).toMatch(
    /^2 Line 3: A Discord ID is all digits/,
  );
  expect(await printed(['optout', 'check', '-'], piped('856418480084217864', '', ID))).toMatch(
    /^0 LINE .*\n1 +no +-\n3 +yes +\d{4}-\d\d-\d\d$/,
  );
  expect(await printed(['optout', 'remove', '-', '--yes'], piped(ID, ID))).toBe(ONE_REMOVED);
});
