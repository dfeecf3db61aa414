import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { useOperator } from '#test/support/operator.ts';

const TOKENS = 3;
const site = useOperator(({ addTokens }) => addTokens(TOKENS));
const { ops, printed, json, dataDir, elsewhere } = site;
const keyring = join(dataDir, 'keyring.json');

type Keys = { keys: { key: string; token_count: number; active: boolean }[] };
const keys = async () => (await json<Keys>(['vault', 'status'])).keys;

it('a rotation makes a new key, and every token is sealed under it', async () => {
  const [old] = await keys();
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const { key } = await json<{ key: string }>(['vault', 'rotate'], { pause });
  // Twice longer than a running server takes to notice.
  expect(pauses).toEqual([2_000, 2_000]);
  expect(await keys()).toEqual([
    { ...old, token_count: 0, active: false },
    { key, created_day: expect.any(String), token_count: TOKENS, active: true },
  ]);
  expect(statSync(keyring).mode & 0o777).toBe(0o600);
  const { tokens } = await json<{ tokens: { opens: boolean }[] }>(['tokens', 'list']);
  expect(tokens.map(({ opens }) => opens)).toEqual([true, true, true]);
  // It knows them again by their new digests.
  const again = await printed(['tokens', 'add'], { input: site.sandbox.mintToken(1) });
  expect(again).toMatch(/^0 .*already stored/);
});

it('an old key is retired, but never the active one nor one in use', async () => {
  const [{ key: kid } = { key: '' }] = await keys();
  const retire = (key: string, ...options: string[]) => printed(['vault', 'retire', key, ...options]);
  expect(await retire(kid, '--dry-run')).toMatch(/^2 .*active/);
  await ops(['vault', 'rotate'], { pause: () => Promise.reject(new TypeError('killed')) });
  expect(await retire(kid, '--yes')).toMatch(/^2 .*still sealed/);
  await ops(['vault', 'rotate']);
  expect(await retire(kid, '--yes')).toMatch(/^0 /);
  expect(readFileSync(keyring, 'utf8')).not.toContain(kid);
});

it('a last backup that needs a retired key is warned of until there is another', async () => {
  let wallMs = Date.now();
  const backUp = () =>
    ops(['backup', '--into', elsewhere], { system: createFakeSystem({ wallMs: (wallMs += 1_000) }) });
  const doctor = () => printed(['doctor']);
  await backUp();
  const [{ key } = { key: '' }] = await keys();
  await ops(['vault', 'rotate']);
  await ops(['vault', 'retire', key, '--yes']);
  expect(await doctor()).toMatch(/^warning +backup +the last one needs a key that was retired since$/m);
  await backUp();
  expect(await doctor()).toMatch(/^ok +backup +the last good one is less than an hour old$/m);
});
