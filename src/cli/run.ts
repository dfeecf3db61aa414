import { EXIT } from '#server/operator-error.ts';
import type { CommandResult } from './command.ts';
import type { RunDeps } from './execute.ts';
import { COMMANDS } from './commands.ts';
import { explainError, type Explanation } from './failure.ts';
import { renderResult, visibleLines } from './output.ts';
import { parseArguments } from './usage/arguments.ts';
import { helpOn } from './usage/help.ts';

/** What the process prints, and its exit code. */
export type RunOutcome = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };

export const run = async (deps: RunDeps): Promise<RunOutcome> => {
  const json = deps.argv.includes('--json');
  try {
    return await runCommand(deps, json);
  } catch (error) {
    const { explanation, exitCode } = await explainError(error);
    return json
      ? ended(`${JSON.stringify({ state: 'failed', ...explanation })}\n`, exitCode)
      : { stdout: '', stderr: asLines(explanation), exitCode };
  }
};

const runCommand = async (deps: RunDeps, json: boolean): Promise<RunOutcome> => {
  const parsed = parseArguments(deps.argv, COMMANDS);
  if (parsed.kind === 'version')
    return json ? runCommand({ ...deps, argv: ['version', '--json'] }, json) : ended(`${deps.version}\n`);
  if (parsed.kind === 'help') return ended(helpOn(deps.program, parsed.commands, COMMANDS));
  const { command, input } = parsed;
  const form = { json, paint: deps.paint };
  if ('describe' in command)
    return outcomeOf(
      (await command.describe())(COMMANDS, input, { version: deps.version, commit: deps.commit() }),
      form,
    );
  const { execute } = await import('./execute.ts');
  return outcomeOf(await execute(command, input, deps), form);
};

const ended = (stdout: string, exitCode = 0): RunOutcome => ({ stdout, stderr: '', exitCode });

const asLines = ({ error, frames = [] }: Explanation): string =>
  visibleLines([error, ...frames.map((frame) => `    ${frame}`), ''].join('\n'));

const outcomeOf = async (
  result: CommandResult,
  form: Parameters<typeof renderResult>[1],
): Promise<RunOutcome> => {
  const { data, lines, state, exitCode = EXIT.failed, failure } = result;
  if (failure === undefined) return ended(renderResult(result, form), state === 'failed' ? exitCode : 0);
  const { explanation, exitCode: ownCode } = await explainError(failure);
  return {
    stdout: renderResult({ data: { ...data, ...explanation }, lines, state: 'failed' }, form),
    stderr: form.json ? '' : asLines(explanation),
    // Something was already changed before the failure.
    exitCode: ownCode === EXIT.badInput ? EXIT.failed : ownCode,
  };
};
