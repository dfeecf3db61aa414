import { badInput, type DescribeProgram } from '../../command.ts';
import { bashScript, fishScript, zshScript } from './scripts.ts';
import { wordsOf } from './words.ts';

const SCRIPTS = new Map(Object.entries({ bash: bashScript, zsh: zshScript, fish: fishScript }));

export const completion: DescribeProgram = (commands, { words: [shell = ''] }) => {
  const scriptOf = SCRIPTS.get(shell);
  if (scriptOf === undefined)
    throw badInput('There is no completion for this shell', `choose ${[...SCRIPTS.keys()].join(', ')}.`);
  const script = scriptOf(wordsOf(commands));
  return { data: { shell, script }, lines: [script.trimEnd()] };
};
