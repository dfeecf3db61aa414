import { AppError } from '#server/app-error.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { wrongSettings } from '#server/read-settings.ts';
import { isStorageFault } from '#server/storage/database.ts';
import { parseArguments } from './arguments.ts';
import { badInput, failed, type Command, type CommandInput, type CommandResult } from './command.ts';
import { COMMANDS } from './commands.ts';
import { createContext, type RunDeps } from './context.ts';
import { helpOn } from './help.ts';
import { renderResult } from './output.ts';
import type { Terminal } from './terminal.ts';

/** How the process is to end. */
export type RunOutcome = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };

export const run = async (deps: RunDeps): Promise<RunOutcome> => {
  const json = deps.argv.includes('--json');
  try {
    return await runCommand(deps, json);
  } catch (error) {
    const { message, exitCode } = asOperatorError(error);
    return json
      ? ended(`${JSON.stringify({ error: message })}\n`, exitCode)
      : { stdout: '', stderr: `${message}\n`, exitCode };
  }
};

const runCommand = async (deps: RunDeps, json: boolean): Promise<RunOutcome> => {
  const parsed = parseArguments(deps.argv, COMMANDS);
  if (parsed.kind === 'version') return ended(`${deps.version}\n`);
  if (parsed.kind === 'help') return ended(helpOn(deps.program, parsed.commands, COMMANDS));
  const { command, input } = parsed;
  const settings = deps.readSettings();
  if ('judge' in command) return outcomeOf(command.judge(settings, deps.settingsFile()), json);
  if (!settings.ok) throw wrongSettings(settings.problems);
  const context = createContext(settings.config, deps);
  try {
    await confirm(command, input, deps.terminal);
    return outcomeOf(await command.run(context, input), json);
  } finally {
    deps.terminal.progress('');
    await context.close();
  }
};

const ended = (stdout: string, exitCode = 0): RunOutcome => ({ stdout, stderr: '', exitCode });

const confirm = async (
  { name, destroys }: Command,
  input: CommandInput,
  terminal: Terminal,
): Promise<void> => {
  const what = destroys?.(input) ?? null;
  if (what === null || input.flags['yes'] === true) return;
  if (!terminal.isInteractive)
    throw badInput(`${name} cannot be undone`, `add --yes to ${what} without being asked.`);
  const answer = await terminal.ask(`Type yes to ${what}: `);
  if (answer.trim().toLowerCase() !== 'yes') throw badInput('Nothing was changed.');
};

const outcomeOf = (result: CommandResult, json: boolean): RunOutcome => {
  const { data, lines, foundProblems, failure } = result;
  if (failure === undefined)
    return ended(renderResult(result, json), foundProblems === true ? EXIT.failed : 0);
  const { message } = asOperatorError(failure);
  return {
    stdout: renderResult({ data: { ...data, error: message }, lines }, json),
    stderr: json ? '' : `${message}\n`,
    // Whatever failed: its own code might say that nothing was changed, and something was.
    exitCode: EXIT.failed,
  };
};

const asOperatorError = (error: unknown): OperatorError => {
  if (error instanceof OperatorError) return error;
  if (isStorageFault(error))
    return failed('The records could not be read or written', 'check the disk and the owner of DATA_DIR.');
  const what = error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
  return failed(`The command failed for a reason that it does not know (${what}).`);
};
