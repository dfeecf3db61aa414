import { EXIT } from '#server/operator-error.ts';
import type { CommandResult, RunDeps } from './command.ts';
import { COMMANDS } from './commands.ts';
import { explainError, type Explanation } from './failure.ts';
import { renderResult, visibleLines } from './output.ts';
import { parseArguments } from './usage/arguments.ts';
import { helpOn } from './usage/help.ts';

export type RunOutcome = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };

export const run = async (deps: RunDeps): Promise<RunOutcome> => {
  const json = deps.argv.includes('--json');
  const { stdout, stderr, exitCode } = await outcomeOf(deps, json);
  if (json || deps.program === 'ops') return { stdout, stderr, exitCode };
  // In a clone the commands that sentences name are typed in another way.
  const asTyped = (text: string): string => text.replaceAll(/\bops (?=[a-z])/g, `${deps.program} `);
  return { stdout: asTyped(stdout), stderr: asTyped(stderr), exitCode };
};

const outcomeOf = async (deps: RunDeps, json: boolean): Promise<RunOutcome> => {
  try {
    const result = await runCommand(deps);
    return typeof result === 'string' ? ended(result) : render(result, { json, paint: deps.paint });
  } catch (error) {
    const { exitCode, ...explanation } = explainError(error);
    return json
      ? ended(`${JSON.stringify({ state: 'failed', ...explanation })}\n`, exitCode)
      : { stdout: '', stderr: asLines(explanation), exitCode };
  }
};

const runCommand = async (deps: RunDeps): Promise<CommandResult | string> => {
  const parsed = parseArguments(deps.argv, COMMANDS);
  if (parsed.kind === 'help') return helpOn(deps.program, parsed.commands, COMMANDS);
  if (parsed.kind === 'version') return `${deps.version}\n`;
  const { command, input } = parsed;
  if ('run' in command) return (await import('./execute.ts')).execute(command, input, deps);
  return (await command.runWithoutSettings())(deps);
};

const ended = (stdout: string, exitCode = 0): RunOutcome => ({ stdout, stderr: '', exitCode });

const asLines = ({ error, frames = [] }: Omit<Explanation, 'exitCode'>): string =>
  visibleLines([error, ...frames.map((frame) => `    ${frame}`), ''].join('\n'));

const render = (result: CommandResult, form: Parameters<typeof renderResult>[1]): RunOutcome => {
  const { data, lines, state, exitCode = EXIT.failed, failure } = result;
  if (failure === undefined) return ended(renderResult(result, form), state === 'failed' ? exitCode : 0);
  const { exitCode: ownCode, ...explanation } = explainError(failure);
  return {
    stdout: renderResult({ data: { ...data, ...explanation }, lines, state: 'failed' }, form),
    stderr: form.json ? '' : asLines(explanation),
    // Something was already changed before the failure.
    exitCode: ownCode === EXIT.badInput ? EXIT.failed : ownCode,
  };
};
