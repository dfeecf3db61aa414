import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { useOperator } from '#test/support/operator.ts';

const { ops, printed, keyring, elsewhere } = useOperator(({ addTokens }) => addTokens(3));

const { clock } = realSystem;
const shifted = (ms: number) => ({ ...realSystem, clock: { ...clock, wallMs: () => clock.wallMs() + ms } });
const [yesterday, tomorrow] = [shifted(-86_400_000), shifted(86_400_000)];

it('an old key is retired, but never the active one, nor one that the newest backup needs', async () => {
  const [, kid = ''] = /^(\w{16}) /m.exec(await printed(['vault', 'status'])) ?? [];
  const retire = () => printed(['vault', 'retire', kid, '--yes'], { env: { BACKUP_DIR: elsewhere } });
  expect(await retire()).toMatch(/^2 .*active/);
  await ops(['backup', '--into', elsewhere], { system: yesterday });
  await ops(['vault', 'rotate']);
  expect(await retire()).toMatch(/^2 The newest backup, .*, needs this key: make another one first\.$/);
  await ops(['backup', '--into', elsewhere], { system: tomorrow });
  expect(await retire()).toMatch(/^0 /);
  expect(await retire()).toMatch(/^0 The key .* is not on the keyring: nothing was changed/);
  expect(readFileSync(keyring, 'utf8')).not.toContain(kid);
});
