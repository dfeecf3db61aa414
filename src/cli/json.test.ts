import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';
import { CALLS } from '#test/support/ops-calls.ts';
import { documentOf, DOCUMENTS } from '#test/support/ops-documents.ts';
import { describeDocuments } from '#test/support/describe-documents.ts';
import { COMMANDS } from './commands.ts';

describe('--json', () => {
  const names = COMMANDS.map(({ name }) => name);
  it('has a call and a schema for every command', () => {
    expect(Object.keys(CALLS).toSorted()).toEqual(names.toSorted());
    expect(Object.keys(DOCUMENTS)).toEqual(names);
  });

  it('is documented as the schemas have it', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/ops-json.md'), 'utf8');
    expect(/```text\n(.*?)```/s.exec(page)?.[1]).toBe(describeDocuments(DOCUMENTS));
  });

  it('has every field that upgrade.sh reads', () => {
    const script = readFileSync(join(import.meta.dirname, '../../ops/upgrade.sh'), 'utf8');
    const read = [...script.matchAll(/\| field (\w+)/g)].map(([, name = '']) => name);
    const known = new Set(['error', ...Object.values(DOCUMENTS).flatMap(Object.keys)]);
    expect(read.filter((name) => !known.has(name))).toEqual([]);
    expect(read).toContain('unreadable_token_count');
  });

  const site = useOperator(async ({ ops, fill }) => {
    await fill();
    await ops(['vault', 'rotate']);
  });
  const { ops, json, dataDir } = site;
  /** Addresses with passwords; nobody is there. */
  const ELSEWHERE = {
    BOT_TOKENS: `${Buffer.from('123456789012345678').toString('base64url')}.GabcDE.${'hunter2'.repeat(6)}`,
    DATABASE_URL: 'postgres://hunter2:hunter2@127.0.0.1:1/whoflake',
  };

  it.each(Object.entries(CALLS))(
    'of %s is one document whose state fits the exit code',
    async (name, calls) => {
      const { tokens } = await json<{ tokens: { id: string }[] }>(['tokens', 'list']);
      const { keys } = await json<{ keys: { key: string }[] }>(['vault', 'status']);
      const words: Readonly<Record<string, string | undefined>> = {
        '<token>': tokens[0]?.id,
        '<key>': keys[0]?.key,
        '<file>': join(dataDir, 'copy.sqlite'),
        '<folder>': dataDir,
        '<database>': join(dataDir, 'whoflake.sqlite'),
        '<withdrawn>': join(dataDir, 'withdrawn.txt'),
      };
      for (const call of calls) {
        const argv = [...name.split(' '), ...call.map((word) => words[word] ?? word), '--json'];
        const { exitCode, stdout, stderr } = await ops(argv, { input: site.sandbox.mintToken(3) });
        const document = JSON.parse(stdout) as { state: string; error?: string };
        expect(stderr).toBe('');
        expect(Object.keys(document)[0]).toBe('state');
        expect(Value.Errors(documentOf(name), document), stdout).toEqual([]);
        expect(exitCode === 0 ? ['ok', 'warning'] : ['failed'], argv.join(' ')).toContain(document.state);
        if (exitCode === 2) expect(document.error).toEqual(expect.any(String));
      }
    },
  );

  it.each(Object.entries(CALLS))('of %s shows no secret, and neither does its text', async (name, [call]) => {
    for (const flags of [[], ['--json']]) {
      const { stdout, stderr } = await ops([...name.split(' '), ...(call ?? []), ...flags], {
        env: ELSEWHERE,
      });
      expect(stdout + stderr).not.toBe('');
      expect(stdout + stderr).not.toContain('hunter2');
    }
  });
});
