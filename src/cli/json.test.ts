import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';
import { COMMANDS } from './commands.ts';

/** What a command is called with, beside its name: where it succeeds as far as it can here, and where it fails. */
const CALLS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  status: [[]],
  doctor: [[]],
  'config check': [[]],
  'tokens list': [[]],
  'tokens add': [[]],
  'tokens check': [[], ['--retire', '--yes']],
  'tokens remove': [['<token>', '--yes'], ['00000000', '--yes'], ['00000000']],
  'vanity list': [[]],
  'vanity add': [
    ['rime', 'whoflake'],
    ['rime', 'whoflake'],
    ['12', 'whoflake'],
  ],
  'vanity pause': [['snow'], ['nobody']],
  'vanity resume': [['snow'], ['nobody']],
  'vanity remove': [
    ['snow', '--yes'],
    ['nobody', '--yes'],
  ],
  'vanity check': [[], ['nobody']],
  'optout list': [[]],
  'vanity export': [['<file>'], ['<file>'], ['-']],
  'vanity import': [['/nowhere/file'], ['-']],
  'optout check': [['441997505123577857'], ['x']],
  'optout add': [['441997505123577857'], ['x']],
  'optout remove': [
    ['441997505123577857', '--yes'],
    ['441997505123577857', '--yes'],
  ],
  'withdrawn merge': [['<withdrawn>'], ['/nowhere/file']],
  'withdrawn hold': [[]],
  'withdrawn release': [['--yes'], ['--dry-run']],
  'vault status': [[]],
  'vault init': [[]],
  'vault add-key': [[]],
  'vault rotate': [[]],
  'vault retire': [
    ['<key>', '--yes'],
    ['none', '--yes'],
  ],
  backup: [['<file>'], ['/nowhere/file'], ['<file>', '--verify'], ['--into', '<folder>', '--keep', '2'], []],
  restore: [
    ['<database>', '--dry-run'],
    ['<database>', '--yes'],
    ['<file>', '--yes'],
  ],
  init: [[], ['--from', '<database>', '--yes'], ['--from', '<file>', '--yes']],
  migrate: [[]],
  'move-records': [[]],
  completion: [['bash'], ['zsh'], ['fish'], ['csh']],
};

describe('--json', () => {
  it('has a call for every command', () => {
    expect(Object.keys(CALLS).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
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
    SHARED_STATE_URL: 'redis://hunter2:hunter2@127.0.0.1:1',
  };

  it.each(Object.entries(CALLS))(
    'of %s is one document whose state fits the exit code',
    async (name, calls) => {
      const { tokens } = await json<{ tokens: { id: string }[] }>(['tokens', 'list']);
      const { keys } = await json<{ keys: { kid: string }[] }>(['vault', 'status']);
      const words: Readonly<Record<string, string | undefined>> = {
        '<token>': tokens[0]?.id,
        '<key>': keys[0]?.kid,
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
