import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { COMMANDS } from '../commands.ts';

const { ops } = useOperator();
const offered = async (line: string): Promise<string[]> => {
  const { stdout } = await ops(['completion', 'bash', `ops ${line}`]);
  return stdout.split('\n').flatMap((offer) => offer.split(':', 1).filter((word) => word !== ''));
};

describe('completion', () => {
  it.each([
    ['st', ['status']],
    ['va', ['vanity', 'vault']],
    ['help vault r', ['rotate', 'retire']],
    ['--json vault st', ['status']],
    ['--env-file site.env vault st', ['status']],
    ['vanity resume --re', ['--repin']],
    ['tokens list --re', []],
    ['tokens remove abc --y', ['--yes']],
    ['tokens list --y', []],
    ['vanity add a b --do', ['--donor']],
    ['vanity add ameur --do', ['--donor']],
    ['withdrawn ', ['merge', 'hold', 'release']],
    ['backup fi', []],
    ['--env-file fi', []],
    ['frob ', []],
  ])('offers for %j: %j', async (line, words) => {
    expect(await offered(line)).toEqual(words);
  });

  it('offers every command', async () => {
    const isGroup = (first: string): boolean => COMMANDS.some(({ name }) => name.startsWith(`${first} `));
    const names = await Promise.all(
      (await offered('')).map(async (first) =>
        isGroup(first) ? (await offered(`${first} `)).map((second) => `${first} ${second}`) : [first],
      ),
    );
    expect(names.flat()).toEqual([...COMMANDS.map(({ name }) => name), 'help']);
  });

  it('tells what an offer does', async () => {
    const { stdout } = await ops(['completion', 'fish', 'ops va']);
    expect(stdout).toContain('vault:status, rotate, retire\n');
    expect((await ops(['completion', 'zsh', 'ops vault r'])).stdout).toContain('retire:removes an old key; ');
  });
});

/** Loads the script, has the last word of a line completed, and prints one offer a line. */
const SHELLS: Readonly<Record<string, (script: string, line: readonly string[]) => string>> = {
  bash: (script, line) =>
    `source ${script}; complete -p ops | grep -q default || exit 9
    COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}; _ops
    printf '%s\\n' "\${COMPREPLY[@]-files}"`,
  // Its own functions for showing offers need a terminal: here they print them.
  zsh: (script, line) =>
    `compdef() { [[ "$*" == '_ops ops' ]] || exit 9; }; _files() { print files; }
    _describe() { print -l -- "\${(@)\${(P@)2}%%:*}"; }
    source ${script}; words=(${line.map((word) => `'${word}'`).join(' ')}); CURRENT=${line.length}; _ops`,
  fish: (script, line) =>
    `source ${script}; touch files; complete -C '${line.join(' ')}' | string replace -r '\\t.*' ''`,
};

describe.each(Object.entries(SHELLS))('completion for %s', (shell, complete) => {
  const isInstalled = spawnSync(shell, ['-c', 'true']).status === 0;

  it.skipIf(!isInstalled)('asks ops, and offers files where it has nothing to offer', async () => {
    using folder = temporaryFolder();
    const script = join(folder.path, 'script');
    writeFileSync(script, (await ops(['completion', shell])).stdout);
    const main = join(import.meta.dirname, '../main.ts');
    const program = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
    writeFileSync(join(folder.path, 'ops'), program, { mode: 0o755 });
    const offersOf = (...line: string[]) => {
      const { stdout, stderr } = spawnSync(shell, ['-c', complete(script, ['ops', ...line])], {
        cwd: folder.path,
        env: { ...process.env, PATH: `${folder.path}:${process.env['PATH']}`, HOME: folder.path },
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      return stdout.trim().split('\n').toSorted();
    };
    expect(offersOf('va')).toEqual(['vanity', 'vault']);
    expect(offersOf('--json', 'vault', '')).toEqual(['retire', 'rotate', 'status']);
    expect(offersOf('vault', 'retire', '--dr')).toEqual(['--dry-run']);
    expect(offersOf('backup', 'fi')).toEqual(['files']);
  });
});
