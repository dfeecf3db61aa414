import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startOperator, type Operator } from '#test/support/operator.ts';

type Keys = { keys: { kid: string; tokens: number; active: boolean }[] };
const keysOf = async ({ json }: Operator) => (await json<Keys>(['vault', 'status'])).keys;

const addTokens = ({ ops, sandbox }: Operator, count: number) =>
  ops(['tokens', 'add'], {
    input: Array.from({ length: count }, (_, n) => sandbox.mintToken(n)).join('\n'),
    env: { EGRESS_PER_SECOND: '10000' },
  });

describe('vault', () => {
  it('rotates: a new key, every token under it, receipts as before', async () => {
    await using operator = await startOperator();
    const { ops, json } = operator;
    await addTokens(operator, 3);
    const receipts = await operator.look(async ({ donatedTokens }) =>
      (await donatedTokens.all()).map(({ id, receipt_digest }) => ({ id, receipt_digest })),
    );
    const [old] = await keysOf(operator);
    const pauses: number[] = [];
    const report = await json<{ kid: string }>(['vault', 'rotate'], {
      pause: async (ms) => void pauses.push(ms),
    });
    expect(report).toEqual({
      state: 'ok',
      kid: expect.stringMatching(/^[0-9a-f]{16}$/),
      resumed: false,
      resealed: 3,
      unreadable: 0,
    });
    // Twice longer than a running server takes to notice.
    expect(pauses).toEqual([2_000, 2_000]);
    expect(await keysOf(operator)).toEqual([
      { ...old, tokens: 0, active: false },
      { kid: report.kid, created: expect.any(String), tokens: 3, active: true },
    ]);
    expect(statSync(operator.config.keyringFile).mode & 0o777).toBe(0o600);
    const { tokens } = await json<{ tokens: { opens: boolean }[] }>(['tokens', 'list']);
    expect(tokens.map(({ opens }) => opens)).toEqual([true, true, true]);
    const after = await operator.look(async ({ donatedTokens }) =>
      (await donatedTokens.all()).map(({ id, receipt_digest }) => ({ id, receipt_digest })),
    );
    expect(after).toEqual(receipts);
    // It knows them again by their new digests.
    expect(await ops(['tokens', 'add'], { input: operator.sandbox.mintToken(1) })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('already stored'),
    });
  });

  it('retires an old key, never the active one nor one in use', async () => {
    await using operator = await startOperator();
    const { ops } = operator;
    await addTokens(operator, 1);
    const [first] = await keysOf(operator);
    const retire = (kid = '') => ops(['vault', 'retire', kid, '--yes']);
    expect(await retire(first?.kid)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('active'),
    });
    expect(await ops(['vault', 'retire', first?.kid ?? '', '--dry-run'])).toMatchObject({ exitCode: 2 });
    expect(await retire('0000000000000000')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('has no key by this name'),
    });
    const stopAtOnce = () => Promise.reject(new TypeError('killed'));
    await ops(['vault', 'rotate'], { pause: stopAtOnce });
    expect(await retire(first?.kid)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('still sealed'),
    });
    await ops(['vault', 'rotate']);
    expect(await ops(['vault', 'retire', first?.kid ?? ''])).toMatchObject({ exitCode: 2 });
    const dry = await ops(['vault', 'retire', first?.kid ?? '', '--dry-run']);
    expect(dry).toMatchObject({
      exitCode: 0,
      stdout: `The key ${first?.kid} would be removed from the keyring.\n`,
    });
    expect(await keysOf(operator)).toHaveLength(2);
    expect(await retire(first?.kid)).toMatchObject({ exitCode: 0 });
    expect(await keysOf(operator)).toEqual([expect.objectContaining({ tokens: 1, active: true })]);
    expect(readFileSync(operator.config.keyringFile, 'utf8')).not.toContain(first?.kid);
  });

  it('leaves a ring alone that cannot be trusted', async () => {
    await using operator = await startOperator();
    await addTokens(operator, 1);
    const { keyringFile } = operator.config;
    const text = readFileSync(keyringFile, 'utf8');
    writeFileSync(keyringFile, text.slice(0, -20));
    expect(await operator.ops(['vault', 'rotate'])).toMatchObject({
      exitCode: 71,
      stderr: expect.stringContaining('is damaged'),
    });
    expect(readFileSync(keyringFile, 'utf8')).toBe(text.slice(0, -20));
  });
});
