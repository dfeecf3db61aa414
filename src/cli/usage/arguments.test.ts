import { expect, it } from 'vitest';
import { OperatorError } from '#server/operator-error.ts';
import { envFileIn, parseArguments } from './arguments.ts';
import { COMMANDS } from '../commands.ts';

const TOKEN = 'MTAwMzQ1Mjc1NDgyNDg0Mzc4NA.FciptA.XzdsQU5idzNIbFkL067t0unq06k2eBuNGA1tli';

const refusal = (...argv: string[]): string => {
  try {
    parseArguments(argv, COMMANDS);
  } catch (error) {
    if (error instanceof OperatorError && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error('It was not refused.');
};

it('the arguments are a command, its words and its options in any order', () => {
  const argv = ['--env-file', 'site.env', 'vanity', '--yes', 'add', 'snow', '--donor', 'Ada L.', 'abc'];
  expect(envFileIn(argv)).toBe('site.env');
  expect(parseArguments(argv, COMMANDS)).toMatchObject({
    command: { name: 'vanity add' },
    input: { words: ['snow', 'abc'], flags: { yes: true, donor: 'Ada L.' } },
  });
});

it.each([
  ['statu', 'Unknown command statu (did you mean status?)'],
  ['hunter2', 'Unknown command'],
  ['status now', 'status takes no arguments'],
  ['--FR\u001B[31mOB', 'Unknown option: ops has --yes, --env-file, --help, --version'],
  ['vanity add a b --eur', 'An option of vanity add is missing its value, or has one it should not have'],
])('the arguments “%s” are refused: %s', (line, finding) =>
  expect(refusal(...line.split(' '))).toBe(`${finding}: see help.`),
);

it.each([
  ['tokens', 'add', `--token=${TOKEN}`],
  ['help', TOKEN],
  ['tokens', 'add', `mfa.${'FciptA'.repeat(14)}`],
])('a token among the arguments is refused without being shown: %s %s', (...argv) => {
  expect(refusal(...argv)).toMatch(/standard input.*shell history/);
  expect(refusal(...argv)).not.toContain('FciptA');
});
