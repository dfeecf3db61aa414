import { EXIT } from '#server/operator-error.ts';
import type { CommandResult, RunDeps } from './command.ts';
import { COMMANDS } from './commands.ts';
import { explainError } from './failure.ts';
import { renderResult, visibleLines } from './output.ts';
import { helpOn, parseArguments } from './usage/arguments.ts';

export type RunOutcome = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };

export const run = async (deps: RunDeps): Promise<RunOutcome> => {
  const json = deps.argv.includes('--json');
  const result = await runCommand(deps).catch((failure: unknown): CommandResult => ({ lines: [], failure }));
  const { stdout, stderr, exitCode } = render(result, json);
  if (json || deps.program === 'ops') return { stdout, stderr, exitCode };
  // In a clone the commands that sentences name are typed in another way.
  const asTyped = (text: string): string => text.replaceAll(/\bops (?=[a-z])/g, `${deps.program} `);
  return { stdout: asTyped(stdout), stderr: asTyped(stderr), exitCode };
};

const runCommand = async (deps: RunDeps): Promise<CommandResult> => {
  if (deps.argv[0] === 'version') return { lines: [versionOf(deps)] };
  const parsed = parseArguments(deps.argv, COMMANDS);
  if (parsed.kind === 'help') return { lines: [helpOn(deps.program, parsed.commands, COMMANDS)] };
  if (parsed.kind === 'version') return { lines: [versionOf(deps)] };
  return (await import('./execute.ts')).execute(parsed.command, parsed.input, deps);
};

const versionOf = ({ version, commit }: RunDeps): string =>
  `Whoflake  ${version}\nCommit    ${commit() ?? 'unknown'}\nNode      ${process.version}`;

const render = (result: CommandResult, json: boolean): RunOutcome => {
  const { data, lines, state, exitCode = EXIT.failed, failure } = result;
  if (failure === undefined)
    return { stdout: renderResult(result, json), stderr: '', exitCode: state === 'failed' ? exitCode : 0 };
  const { exitCode: ownCode, ...explanation } = explainError(failure);
  const { error, frames = [] } = explanation;
  return {
    stdout: renderResult({ data: { ...data, ...explanation }, lines, state: 'failed' }, json),
    stderr: json ? '' : visibleLines([error, ...frames.map((frame) => `    ${frame}`), ''].join('\n')),
    // With lines something was already done before the failure.
    exitCode: ownCode === EXIT.badInput && lines.length > 0 ? EXIT.failed : ownCode,
  };
};
