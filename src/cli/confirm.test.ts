import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';
import { COMMANDS } from './commands.ts';

const site = useOperator(async ({ ops, fill, look, elsewhere }) => {
  await fill();
  await ops(['vault', 'rotate']);
  await ops(['backup', join(elsewhere, 'backup')]);
  await look(({ withdrawn }) => withdrawn.refresh());
});
const { ops, printed, json, dataDir, elsewhere } = site;
const inDataDir = (name: string): string => join(dataDir, name);

/** What is destroyed, once the files are gone without which it cannot be. */
const CALLS: Readonly<Record<string, readonly [words: string, gone?: string]>> = {
  'tokens remove': ['<token>'],
  'withdrawn release': ['', 'withdrawn.txt'],
  'vanity remove': ['snow'],
  'optout remove': ['441997505123577857'],
  'vault retire': ['<key>'],
  restore: [join(elsewhere, 'backup')],
};

it('every command that destroys something is tried here', () => {
  const names = COMMANDS.filter(({ destroys }) => destroys !== undefined).map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(CALLS).toSorted());
});

it.each(Object.entries(CALLS))(
  '%s asks, and only the whole word yes confirms it',
  async (name, [words, gone]) => {
    const { tokens } = await json<{ tokens: { id: string }[] }>(['tokens', 'list']);
    const [, key = ''] = /^(\w{16}) .* no$/m.exec(await printed(['vault', 'status'])) ?? [];
    const call = words.replace('<token>', tokens[0]?.id ?? '').replace('<key>', key);
    const argv = `${name} ${call}`.trim().split(' ');
    if (gone !== undefined) rmSync(inDataDir(gone));
    const state = async () => [await printed(['vanity', 'list']), readdirSync(dataDir)];
    const before = await state();
    expect(await printed(argv)).toMatch(
      new RegExp(`^2 ${name} needs a confirmation: add --yes to .* without being asked\\.$`),
    );
    for (const answer of ['y', ''])
      expect(await printed(argv, { answer })).toBe(
        '2 Nothing was changed: only the whole word yes confirms it.',
      );
    expect(site.shown()).toContain('Type yes to ');
    expect(await state()).toEqual(before);
    expect((await ops(argv, { answer: ' Yes ' })).exitCode).toBe(0);
  },
);
