import { AppError } from '#server/app-error.ts';
import type { ParsedConfig } from '#server/config.ts';
import { settingsReport } from '#server/read-settings.ts';
import { EXIT, StartError } from '#server/start-error.ts';
import { isStorageFault } from '#server/storage/database.ts';
import type { System } from '#server/system.ts';
import { parseArguments } from './arguments.ts';
import {
  badInput,
  CommandError,
  type Command,
  type CommandContext,
  type CommandInput,
  type CommandResult,
} from './command.ts';
import { COMMANDS } from './commands.ts';
import { createContext } from './context.ts';
import { helpOn, helpOnAll } from './help.ts';
import { renderResult } from './output.ts';
import type { Terminal } from './terminal.ts';

export type RunDeps = {
  readonly argv: readonly string[];
  readonly readSettings: () => ParsedConfig;
  readonly system: System;
  readonly pause: (ms: number) => Promise<void>;
  readonly terminal: Terminal;
  readonly version: string;
  readonly uid: number | undefined;
};

/** How the process is to end. */
export type RunOutcome = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };

export const run = async (deps: RunDeps): Promise<RunOutcome> => {
  const json = deps.argv.includes('--json');
  try {
    return await obey(deps, json);
  } catch (error) {
    const { sentence, exitCode } = explain(error);
    const report = json ? { stdout: `${JSON.stringify({ error: sentence })}\n`, stderr: '' } : null;
    return { ...(report ?? { stdout: '', stderr: `${sentence}\n` }), exitCode };
  }
};

const obey = async (deps: RunDeps, json: boolean): Promise<RunOutcome> => {
  const parsed = parseArguments(deps.argv, COMMANDS);
  const say = (stdout: string, exitCode = 0): RunOutcome => ({ stdout, stderr: '', exitCode });
  if (parsed.kind === 'version') return say(`${deps.version}\n`);
  if (parsed.kind === 'help')
    return say(parsed.command === null ? helpOnAll(COMMANDS) : helpOn(parsed.command));
  const settings = deps.readSettings();
  if (!settings.ok) throw new CommandError(settingsReport(settings.problems), EXIT.configuration);
  const context = createContext({ ...deps, config: settings.config });
  try {
    await confirm(parsed.command, parsed.input, context);
    const result = await parsed.command.run(context, parsed.input);
    return result.failure === undefined
      ? say(renderResult(result, json), result.exitCode)
      : brokenOff(result, json);
  } finally {
    context.terminal.progress('');
    await context.close();
  }
};

/** Something was done before it failed, so it is never the exit code of a command that changed nothing. */
const brokenOff = ({ data, lines, failure }: CommandResult, json: boolean): RunOutcome => {
  const { sentence } = explain(failure);
  return {
    stdout: renderResult({ data: { ...data, error: sentence }, lines }, json),
    stderr: json ? '' : `${sentence}\n`,
    exitCode: EXIT.failed,
  };
};

const confirm = async (
  { name, destroys }: Command,
  input: CommandInput,
  { terminal }: CommandContext,
): Promise<void> => {
  const what = destroys?.(input) ?? null;
  if (what === null || input.flags['yes'] === true) return;
  if (!terminal.isInteractive) throw badInput(`${name} destroys something: add --yes if you mean it.`);
  const answer = await terminal.ask(`Type yes to ${what}: `);
  if (answer.trim().toLowerCase() !== 'yes') throw badInput('Nothing was changed.');
};

const explain = (error: unknown): { readonly sentence: string; readonly exitCode: number } => {
  if (error instanceof CommandError || error instanceof StartError)
    return { sentence: error.message, exitCode: error.exitCode };
  if (isStorageFault(error))
    return {
      sentence: 'The records could not be read or written: check the disk and the owner of DATA_DIR.',
      exitCode: EXIT.failed,
    };
  const what = error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
  return {
    sentence: `The command failed for a reason that it does not know (${what}).`,
    exitCode: EXIT.failed,
  };
};
