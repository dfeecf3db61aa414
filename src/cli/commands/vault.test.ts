import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

const TOKENS = 3;
const site = useOperator(({ addTokens }) => addTokens(TOKENS));
const { ops, json, look, dataDir } = site;
const keyring = join(dataDir, 'keyring.json');

type Keys = { keys: { kid: string; tokens: number; active: boolean }[] };
const keys = async () => (await json<Keys>(['vault', 'status'])).keys;

describe('vault', () => {
  it('rotates: a new key, every token under it, receipts as before', async () => {
    const receipts = () =>
      look(async ({ donatedTokens }) =>
        (await donatedTokens.all()).map(({ id, receipt_digest }) => ({ id, receipt_digest })),
      );
    const before = await receipts();
    const [old] = await keys();
    const pauses: number[] = [];
    const report = await json<{ kid: string }>(['vault', 'rotate'], {
      pause: async (ms) => void pauses.push(ms),
    });
    expect(report).toEqual({
      state: 'ok',
      kid: expect.stringMatching(/^[0-9a-f]{16}$/),
      resumed: false,
      resealed: TOKENS,
      unreadable: 0,
    });
    // Twice longer than a running server takes to notice.
    expect(pauses).toEqual([2_000, 2_000]);
    expect(await keys()).toEqual([
      { ...old, tokens: 0, active: false },
      { kid: report.kid, created: expect.any(String), tokens: TOKENS, active: true },
    ]);
    expect(statSync(keyring).mode & 0o777).toBe(0o600);
    const { tokens } = await json<{ tokens: { opens: boolean }[] }>(['tokens', 'list']);
    expect(tokens.map(({ opens }) => opens)).toEqual([true, true, true]);
    expect(await receipts()).toEqual(before);
    // It knows them again by their new digests.
    expect(await ops(['tokens', 'add'], { input: site.sandbox.mintToken(1) })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('already stored'),
    });
  });

  it('retires an old key, never the active one nor one in use', async () => {
    const [{ kid } = { kid: '' }] = await keys();
    const retire = (key: string, ...options: string[]) => ops(['vault', 'retire', key, ...options]);
    const refusal = (sentence: string) => ({ exitCode: 2, stderr: expect.stringContaining(sentence) });
    expect(await retire(kid, '--yes')).toMatchObject(refusal('active'));
    expect(await retire(kid, '--dry-run')).toMatchObject(refusal('active'));
    expect(await retire('0000000000000000', '--yes')).toMatchObject(refusal('has no key by this name'));
    await ops(['vault', 'rotate'], { pause: () => Promise.reject(new TypeError('killed')) });
    expect(await retire(kid, '--yes')).toMatchObject(refusal('still sealed'));
    await ops(['vault', 'rotate']);
    expect(await retire(kid)).toMatchObject({ exitCode: 2 });
    expect(await retire(kid, '--dry-run')).toMatchObject({
      exitCode: 0,
      stdout: `The key ${kid} would be removed from the keyring.\n`,
    });
    expect(await keys()).toHaveLength(2);
    expect(await retire(kid, '--yes')).toMatchObject({ exitCode: 0 });
    expect(await keys()).toEqual([expect.objectContaining({ tokens: TOKENS, active: true })]);
    expect(readFileSync(keyring, 'utf8')).not.toContain(kid);
  });

  it('leaves a ring alone that cannot be trusted', async () => {
    const damaged = readFileSync(keyring, 'utf8').slice(0, -20);
    writeFileSync(keyring, damaged);
    expect(await ops(['vault', 'rotate'])).toMatchObject({
      exitCode: 71,
      stderr: expect.stringContaining('is damaged'),
    });
    expect(readFileSync(keyring, 'utf8')).toBe(damaged);
  });

  it('has no key to wait for without DATABASE_URL', async () => {
    expect(await ops(['vault', 'add-key'])).toMatchObject({
      exitCode: 2,
      stderr: 'Without DATABASE_URL one step is enough: run vault rotate.\n',
    });
  });
});
