import { badInput, type TellOfCommands } from '../command.ts';
import { bashScript } from '../usage/completion/bash.ts';
import { fishScript } from '../usage/completion/fish.ts';
import { wordsOf } from '../usage/completion/words.ts';
import { zshScript } from '../usage/completion/zsh.ts';

const SCRIPTS = new Map(Object.entries({ bash: bashScript, zsh: zshScript, fish: fishScript }));

export const completion: TellOfCommands = (commands, { words: [shell = ''] }) => {
  const scriptOf = SCRIPTS.get(shell);
  if (scriptOf === undefined)
    throw badInput('There is no completion for this shell', `choose ${[...SCRIPTS.keys()].join(', ')}.`);
  const script = scriptOf(wordsOf(commands));
  return { data: { shell, script }, lines: [script.trimEnd()] };
};
