import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { writeFileSync } from 'node:fs';
import { COMMANDS } from '../../commands.ts';
import { bashScript, fishScript, zshScript } from './scripts.ts';
import { wordsOf } from './words.ts';

type Shell = {
  readonly scriptOf: typeof bashScript;
  /** Loads the script, has the last word of a line completed, and prints one offer a line. */
  readonly complete: (script: string, line: readonly string[]) => string;
};

const inSingleQuotes = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');

const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    scriptOf: bashScript,
    complete: (script, line) =>
      `compopt() { echo files; }; source ${script}; complete -p ops >/dev/null || exit 9
      COMP_WORDS=(${inSingleQuotes(line)}); COMP_CWORD=${line.length - 1}; _ops; printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  // Its own functions for showing offers need a terminal: here they print them.
  zsh: {
    scriptOf: zshScript,
    complete: (script, line) =>
      `compdef() { [[ "$*" == '_ops ops' ]] || exit 9; }; _files() { print files; }
      _describe() { print -l -- "\${(@)\${(P@)2}%%:*}" | grep -e "^$PREFIX"; }
      source ${script}; words=(${inSingleQuotes(line)}); CURRENT=${line.length}; PREFIX='${line.at(-1)}'; _ops`,
  },
  fish: {
    scriptOf: fishScript,
    complete: (script, line) =>
      `source ${script}; touch files; complete -C '${line.join(' ')}' | string replace -r '\\t.*' ''`,
  },
};

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

describe.each(Object.entries(SHELLS))('completion for %s', (shell, { scriptOf, complete }) => {
  const offered = (...line: string[]): string[] => {
    using folder = temporaryFolder();
    const script = join(folder.path, 'script');
    writeFileSync(script, scriptOf(wordsOf(COMMANDS)));
    const { stdout, stderr } = spawnSync(shell, ['-c', complete(script, ['ops', ...line])], {
      cwd: folder.path,
      env: { PATH: '/usr/bin:/bin', HOME: folder.path },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((word) => word !== '' && word !== 'script');
  };

  it.skipIf(!isInstalled(shell)).each([
    [['st'], ['status']],
    [['va'], ['vanity', 'vault']],
    [
      ['vault', ''],
      ['status', 'rotate', 'retire'],
    ],
    [
      ['help', 'vault', 'r'],
      ['rotate', 'retire'],
    ],
    [['--json', 'vault', 'st'], ['status']],
    [['--env-file', 'site.env', 'vault', 'st'], ['status']],
    [['vanity', 'resume', '--re'], ['--repin']],
    [['tokens', 'list', '--re'], []],
    [['tokens', 'remove', 'abc', '--y'], ['--yes']],
    [['vanity', 'add', 'a', 'b', '--do'], ['--donor']],
    [['status', '--js'], ['--json']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['backup', 'fi'], ['files']],
    [['--env-file', 'fi'], ['files']],
    [['frob', ''], []],
  ])('offers for %j: %j', (line, words) => {
    expect(offered(...line).toSorted()).toEqual(words.toSorted());
  });

  it.skipIf(!isInstalled(shell))('offers every command', () => {
    const names = offered('').flatMap((first) => {
      const seconds = COMMANDS.some(({ name }) => name.startsWith(`${first} `)) ? offered(first, '') : [];
      return seconds.length === 0 ? [first] : seconds.map((second) => `${first} ${second}`);
    });
    expect(names.toSorted()).toEqual([...COMMANDS.map(({ name }) => name), 'help'].toSorted());
  });
});
