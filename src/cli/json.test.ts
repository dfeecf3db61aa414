import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';
import { CALLS } from '#test/support/ops-calls.ts';
import { COMMANDS } from './commands.ts';

const listed = readFileSync(join(import.meta.dirname, '../../docs/ops-json.txt'), 'utf8');
/** The fields of each document, as the page has them: types of TypeScript, and `day`. */
const FIELDS = new Map(
  [...listed.matchAll(/^(\S.*)\n((?: {2}.+\n)+)/gm)].map(([, name = '', fields = '']) => [
    name,
    fields.trimEnd().split('\n'),
  ]),
);
const STATE = 'state: "ok" | "warning" | "failed"';
const day = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\d$` });

/** With no other field at any depth. A command that failed before it had anything to tell says why, and nothing else. */
const documentOf = (name: string): object => {
  const all = [STATE, ...(FIELDS.get(name) ?? []), 'dry_run?: true', 'error?: string', 'frames?: string[]'];
  const text = `{ ${all.join(', ')} } | { state: "failed", error: string, frames?: string[] }`;
  return JSON.parse(JSON.stringify(Type.Script({ day }, text)), (_, schema) =>
    schema?.type === 'object' ? { ...schema, additionalProperties: false } : schema,
  ) as object;
};

describe('--json', () => {
  const names = COMMANDS.map(({ name }) => name);
  it('has a call and a documented form for every command', () => {
    expect(Object.keys(CALLS).toSorted()).toEqual(names.toSorted());
    expect([...FIELDS.keys()]).toEqual(names);
  });

  it('has every field that upgrade.sh reads', () => {
    const script = readFileSync(join(import.meta.dirname, '../../ops/upgrade.sh'), 'utf8');
    const read = [...script.matchAll(/\| field (\w+)/g)].map(([, name = '']) => name);
    expect(
      read.filter((name) => name !== 'error' && !new RegExp(`^  ${name}\\??:`, 'm').test(listed)),
    ).toEqual([]);
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

  it.each(Object.entries(CALLS))('of %s is one document: its state fits the code', async (name, calls) => {
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
  });

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
