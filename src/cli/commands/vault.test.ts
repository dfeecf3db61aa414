import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { lockFolder } from '#server/storage/data-folder.ts';
import { useOperator } from '#test/support/operator.ts';

const { ops, printed, json, keyring, dataDir } = useOperator(({ addTokens }) => addTokens(3));

it('an old key is retired, but never the active one', async () => {
  const { keys } = await json<{ keys: { key: string }[] }>(['vault', 'status']);
  const kid = keys[0]?.key ?? '';
  const retire = (key: string, ...options: string[]) => printed(['vault', 'retire', key, ...options]);
  expect(await retire(kid, '--dry-run')).toMatch(/^2 .*active/);
  await ops(['vault', 'rotate']);
  expect(await retire(kid, '--yes')).toMatch(/^0 /);
  expect(readFileSync(keyring, 'utf8')).not.toContain(kid);
});

it('a key is not rotated while a server runs', async () => {
  const before = readFileSync(keyring, 'utf8');
  using _server = lockFolder(dataDir);
  expect(await printed(['vault', 'rotate'])).toMatch(/^79 /);
  expect(readFileSync(keyring, 'utf8')).toBe(before);
});
