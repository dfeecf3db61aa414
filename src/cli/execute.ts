import { wrongSettings } from '#server/read-settings.ts';
import { badInput, isDryRun, type Command, type CommandInput, type CommandResult } from './command.ts';
import { createContext, type RunDeps } from './context.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command with the settings that it needs, after the operator's confirmation if it destroys something. */
export const execute = async (
  command: Exclude<Command, { tell: unknown }>,
  input: CommandInput,
  deps: RunDeps,
): Promise<CommandResult> => {
  const settings = await deps.readSettings();
  if ('judge' in command) return (await command.judge())(settings, await deps.settingsSource());
  if (!settings.ok) throw wrongSettings(settings.problems);
  const context = createContext(settings.config, deps);
  try {
    await confirm(command, input, deps.terminal);
    const runIt = await command.run();
    const result = await runIt(context, input);
    return isDryRun(input) ? { ...result, data: { dry_run: true, ...result.data } } : result;
  } finally {
    deps.terminal.progress('');
    await context.close();
  }
};

const confirm = async (
  { name, destroys }: Command,
  input: CommandInput,
  terminal: Terminal,
): Promise<void> => {
  const what = destroys?.(input) ?? null;
  if (what === null || input.flags['yes'] === true || isDryRun(input)) return;
  if (!terminal.isInteractive)
    throw badInput(`${name} cannot be undone`, `add --yes to ${what} without being asked.`);
  const answer = await terminal.ask(`Type yes to ${what}: `);
  if (answer.trim().toLowerCase() !== 'yes') throw badInput('Nothing was changed.');
};
