import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
const missingValue = (command: string): string =>
  `An option of ${command} is missing its value, or has one it should not have: see help.`;
describe('arguments', () => {
  it.each([[], ['help'], ['--help'], ['-h'], ['--json', 'help']])('%j asks for help', (...argv) => {
    expect(parseArguments(argv, COMMANDS)).toEqual({ kind: 'help', commands: [] });
  });

  it.each([['vault'], ['help', 'vault'], ['vault', '--help'], ['-h', 'vault'], ['vault', 'frob', '--help']])(
    '%j %j asks for help on a group',
    (...argv) => {
      const parsed = parseArguments(argv, COMMANDS);
      const names = parsed.kind === 'help' ? parsed.commands.map(({ name }) => name) : [];
      expect(names).toEqual(['vault status', 'vault rotate', 'vault retire']);
    },
  );

  it.each([['-v'], ['--version'], ['status', '-v']])('%j asks for the version', (...argv) => {
    expect(parseArguments(argv, COMMANDS)).toEqual({ kind: 'version' });
  });

  it.each([
    [['vanity', 'add', '--help'], 'vanity add'],
    [['help', 'vanity', 'add'], 'vanity add'],
    [['--json', 'help', 'vanity', 'add', 'snow'], 'vanity add'],
    [['help', 'status'], 'status'],
  ])('%j asks for help on one command', (argv, name) => {
    expect(parseArguments(argv, COMMANDS)).toMatchObject({ kind: 'help', commands: [{ name }] });
  });

  it('are a command, its words and its options in any order', () => {
    const argv = ['--env-file', 'site.env', 'vanity', '--json', 'add', 'snow', '--donor', 'Ada L.', 'abc'];
    expect(envFileIn(argv)).toBe('site.env');
    expect(parseArguments(argv, COMMANDS)).toMatchObject({
      kind: 'run',
      command: { name: 'vanity add' },
      input: { words: ['snow', 'abc'], flags: { json: true, donor: 'Ada L.' } },
    });
  });

  it.each([
    [['frob'], 'Unknown command frob: see help.'],
    [['FR\u001B[31mOB'], 'Unknown command: see help.'],
    [['statsu'], 'Unknown command statsu (did you mean status?): see help.'],
    [['vanity', 'frob'], 'Unknown command vanity frob: see help.'],
    [['vanity', 'puase', 'x'], 'Unknown command vanity puase (did you mean pause?): see help.'],
    [['vanity', 'add', 'snow'], 'vanity add takes <name> <invite>: see help.'],
    [['vanity', 'check', 'a', 'b'], 'vanity check takes [name]: see help.'],
    [['status', 'now'], 'status takes no arguments: see help.'],
    [['status', '--loud'], 'Unknown option --loud: see help.'],
    [['status', '--jsn'], 'Unknown option --jsn (did you mean --json?): see help.'],
    [['vanity', 'add', 'a', 'b', '--dnor=x'], 'Unknown option --dnor (did you mean --donor?): see help.'],
    [['--FR\u001B[31mOB'], 'Unknown option: see help.'],
    [['vanity', 'add', 'a', 'b', '--eur'], missingValue('vanity add')],
    [['status', '--env-file'], missingValue('status')],
    [['status', '--yes=1'], missingValue('status')],
  ])('%j is refused', (argv, sentence) => expect(refusal(...argv)).toBe(sentence));

  it.each([
    ['tokens', 'add', TOKEN],
    ['tokens', 'add', `--token=${TOKEN}`],
    ['tokens', 'add', `Bot ${TOKEN}`],
    ['help', TOKEN],
    [TOKEN],
    ['frob', '--x', TOKEN],
    ['tokens', 'add', `mfa.${'FciptA'.repeat(14)}`],
  ])('%s %s: a token among them is refused without being shown', (...argv) => {
    expect(refusal(...argv)).toMatch(/standard input.*shell history/);
    expect(refusal(...argv)).not.toContain('FciptA');
  });

  it('are understood or refused in one sentence, whatever they are', () => {
    const words = 'vanity add tokens check --json -- - --eur --donor= help -h'.split(' ');
    const word = fc.oneof(fc.string(), fc.constantFrom(...words));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
        try {
          expect(parseArguments(argv, COMMANDS).kind).toMatch(/^(?:help|version|run)$/);
        } catch (error) {
          expect(error).toBeInstanceOf(OperatorError);
          expect((error as OperatorError).message).toMatch(/^[\x20-\x7E]+\.$/);
        }
      }),
    );
  });
});
