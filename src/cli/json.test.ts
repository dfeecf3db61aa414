import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/ops-json.txt'), 'utf8');
const day = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\d$` });

/** As the page has it: types of TypeScript, and `day`. With no other field at any depth. */
const documentOf = (name: string): object => {
  const [, fields = ''] = new RegExp(`^${name}\n((?: {2}.+\n)+)`, 'm').exec(page) ?? [];
  expect(fields).not.toBe('');
  const state = 'state: "ok" | "warning" | "failed"';
  const all = [state, ...fields.trimEnd().split('\n'), 'error?: string'].join(', ');
  const text = `{ ${all} } | { state: "failed", error: string }`;
  return JSON.parse(JSON.stringify(Type.Script({ day }, text)), (_, schema) =>
    schema?.type === 'object' ? { ...schema, additionalProperties: false } : schema,
  ) as object;
};

const { ops, json, sandbox, dataDir } = useOperator(async ({ fill, ops, dataDir }) => {
  await fill();
  await ops(['backup', join(dataDir, 'copy')]);
});

const CALLS: readonly (readonly [name: string, ...words: string[]])[] = [
  ['status'],
  ['doctor'],
  ['config check'],
  ['tokens list'],
  ['tokens add'],
  ['backup', join(dataDir, 'second')],
  ['backup', join(dataDir, 'copy'), '--verify'],
  ['restore', join(dataDir, 'copy'), '--dry-run'],
  ['restore', join(dataDir, 'copy'), '--yes'],
];

it.each(CALLS)(
  '%s %s %s prints one document, as the page has it: its state fits the code',
  async (...call) => {
    const [name, ...words] = call.filter((word) => word !== undefined);
    const argv = [...(name ?? '').split(' '), ...words, '--json'];
    const { exitCode, stdout, stderr } = await ops(argv, { input: sandbox.mintToken(3) });
    const document = JSON.parse(stdout) as { state: string };
    expect(stderr).toBe('');
    expect(Object.keys(document)[0]).toBe('state');
    expect(Value.Errors(documentOf(name ?? ''), document), stdout).toEqual([]);
    expect(exitCode === 0 ? ['ok', 'warning'] : ['failed']).toContain(document.state);
  },
);

it('a command without a document says so in one', async () => {
  expect(await json(['vanity', 'list'])).toEqual({
    state: 'failed',
    error: 'Unknown option: vanity list has --yes, --env-file, --help, --version: see help.',
  });
});

it.each(['status', 'doctor', 'config check', 'tokens list', 'backup x', 'restore x', 'init'])(
  '%s shows no password of its settings, as text or as JSON',
  async (command) => {
    const env = {
      BOT_TOKENS: `${btoa('123456789012345678')}.GabcDE.${'hunter2'.repeat(6)}`,
      DATABASE_URL: 'postgres://hunter2:hunter2@127.0.0.1:1/whoflake',
    };
    for (const flags of command === 'init' ? [[]] : [[], ['--json']]) {
      const argv = command.replace(' x', ` ${join(dataDir, 'x')}${flags.length}`).split(' ');
      const { stdout, stderr } = await ops([...argv, ...flags], { env });
      expect(stdout + stderr).not.toBe('');
      expect(stdout + stderr).not.toContain('hunter2');
    }
  },
);
