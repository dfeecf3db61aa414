import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';
import { COMMANDS } from './commands.ts';

const ID = '441997505123577857';
const site = useOperator(async ({ ops, fill, look, elsewhere }) => {
  await fill();
  await ops(['vault', 'rotate']);
  await ops(['vanity', 'pause', 'snow']);
  await ops(['backup', join(elsewhere, 'backup')]);
  await look(({ withdrawn }) => withdrawn.refresh());
});
const { ops, printed, json, dataDir, elsewhere } = site;
const at = (name: string): string => join(elsewhere, name);
const first = async (argv: readonly string[], list: string, field: string): Promise<string> =>
  (await json<Record<string, Record<string, string>[]>>(argv))[list]?.[0]?.[field] ?? '';

type Call = () => readonly string[] | Promise<readonly string[]>;
/** A call that destroys something, and one that cannot. */
type Calls = {
  readonly good: Call;
  readonly bad: readonly string[];
  /** How the second one ends. */
  readonly code: number;
  /** For the first. */
  readonly env?: Readonly<Record<string, string>>;
};
const CALLS: Readonly<Record<string, Calls>> = {
  'tokens remove': {
    good: async () => [await first(['tokens', 'list'], 'tokens', 'id')],
    bad: ['zzzz'],
    code: 2,
  },
  withdrawn: {
    good: () => {
      rmSync(join(dataDir, 'withdrawn.txt'));
      return ['release'];
    },
    bad: ['release'],
    code: 0,
  },
  'vanity remove': { good: () => ['snow'], bad: ['nobody'], code: 0 },
  'optout remove': { good: () => [ID], bad: ['x'], code: 2 },
  'vault retire': {
    good: async () => [await first(['vault', 'status'], 'keys', 'key')],
    bad: ['zz'],
    code: 2,
  },
  restore: { good: () => [at('backup')], bad: [at('none')], code: 2 },
  'move-records': {
    good: () => [],
    bad: [],
    code: 2,
    env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' },
  },
  init: {
    good: () => {
      rmSync(join(dataDir, 'keyring.json'));
      return ['--from', join(dataDir, 'whoflake.sqlite')];
    },
    bad: ['--from', at('none')],
    code: 2,
  },
};

/** The links, and which files there are. */
const state = async () => [
  (await ops(['vanity', 'list'])).stdout,
  readdirSync(dataDir).filter((name) => !/-(?:wal|shm)$/.test(name)),
];

describe('a command that destroys something', () => {
  it('is tried here', () => {
    const names = COMMANDS.filter(({ destroys }) => destroys !== undefined).map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys(CALLS).toSorted());
  });

  it.each(Object.entries(CALLS))('%s asks once it is known to work, not before', async (name, call) => {
    const words = name.split(' ');
    const refused = await ops([...words, ...call.bad], { answer: 'yes' });
    expect(refused.exitCode).toBe(call.code);
    expect(site.shown()).not.toContain('Type yes');
    const argv = [...words, ...(await call.good())];
    const before = await state();
    const env = call.env ?? {};
    expect(await printed(argv, { env })).toMatch(
      new RegExp(`^2 ${name} needs a confirmation: add --yes to .* without being asked\\.$`),
    );
    for (const answer of ['y', 'no', ''])
      expect(await printed(argv, { env, answer })).toBe(
        '2 Nothing was changed: only the whole word yes confirms it.',
      );
    expect(site.shown()).toContain('Type yes to ');
    expect(await state()).toEqual(before);
    // Nobody is there in PostgreSQL's place.
    expect((await ops(argv, { env, answer: ' Yes ' })).exitCode).toBe(call.env === undefined ? 0 : 69);
  });
});
