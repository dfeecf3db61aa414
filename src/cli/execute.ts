import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import type { Config } from '#server/config.ts';
import type { Records } from '#server/open-records.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { wrongSettings } from '#server/read-settings.ts';
import { isoTime } from '#server/system.ts';
import {
  type Command,
  type CommandContext,
  type CommandInput,
  type CommandResult,
  type OpenRecordsOptions,
  type PlatformLink,
  type RunDeps,
} from './command.ts';
import { badInput, noRecords } from './refusals.ts';
import { ownerOf } from './file-owner.ts';

const unusable = (finding: string, remedy: string): OperatorError =>
  new OperatorError(EXIT.databaseUnusable, finding, remedy);

/** A folder seems empty to a user who may not list it, and the server could not read what root creates in it. */
const refuseWrongUser = (dataDir: string, uid: number | undefined): void => {
  const owner = ownerOf(dataDir);
  if (isClosed(dataDir))
    // Nobody runs the server as root: a command or a copy by root has left it like this.
    throw unusable(
      `This user may not open ${dataDir}, which belongs to ${owner?.name ?? 'another'}`,
      owner?.uid === 0
        ? `run chown -R ${userInfo().username} ${dataDir} as root.`
        : 'run this as its owner, for example as root with runuser -u whoflake -- in front.',
    );
  if (uid === 0 && owner !== null && owner.uid !== 0)
    throw unusable(
      `${dataDir} belongs to ${owner.name}, not root`,
      `run this as that user: put runuser -u ${owner.name} -- in front.`,
    );
};

const isClosed = (folder: string): boolean => {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
};

const createContext = (
  config: Config,
  confirm: () => Promise<void>,
  { system, terminal, pause, uid, settingsSource }: RunDeps,
): CommandContext & { readonly close: () => Promise<void> } => {
  refuseWrongUser(config.dataDir, uid);
  let records: Promise<Records> | undefined;
  let platform: Promise<PlatformLink> | undefined;

  const open = async ({ migrate = false, isNewSite = false }: OpenRecordsOptions): Promise<Records> => {
    const { inspectRecords, openRecords } = await import('#server/open-records.ts');
    const { isDatabaseLost } = await import('#server/storage/data-folder.ts');
    const { kind } = await inspectRecords(config);
    if (!isNewSite && kind === 'absent' && config.databaseUrl === null && !isDatabaseLost(config))
      throw noRecords(config.dataDir, await settingsSource());
    if (!migrate && kind === 'outdated')
      throw badInput('The database is from an older version', 'run ops migrate, or start the server.');
    return openRecords(config, system, { isNewSite });
  };
  const openRecords = (wanted: OpenRecordsOptions = {}): Promise<Records> => (records ??= open(wanted));
  return {
    config,
    settingsSource,
    system,
    terminal,
    pause,
    confirm,
    now: () => isoTime(system.clock),
    openRecords,
    platform: () =>
      (platform ??= import('./platform-link.ts').then(({ createPlatformLink }) =>
        createPlatformLink({ config, system, openRecords }),
      )),
    close: async () => {
      // A failure to open one of them was already reported: it ended the command.
      const [link, opened] = await Promise.allSettled([platform, records]);
      if (link.status === 'fulfilled') await link.value?.api.close();
      if (opened.status === 'fulfilled') await opened.value?.close();
    },
  };
};

export const execute = async (
  command: Extract<Command, { run: unknown }>,
  input: CommandInput,
  deps: RunDeps,
): Promise<CommandResult> => {
  const settings = await deps.readSettings();
  if (!settings.ok) throw wrongSettings(settings.problems);
  const context = createContext(settings.config, () => confirm(command, input, deps), deps);
  try {
    const run = await command.run();
    return await run(context, input);
  } finally {
    deps.terminal.progress('');
    await context.close();
  }
};

const confirm = async (
  { name, destroys }: Command,
  input: CommandInput,
  { terminal }: RunDeps,
): Promise<void> => {
  const what = destroys?.(input);
  if (what === undefined || input.flags['yes'] === true) return;
  if (!terminal.isInteractive)
    throw badInput(`${name} needs a confirmation`, `add --yes to ${what} without being asked.`);
  terminal.progress('');
  const answer = await terminal.ask(`Type yes to ${what}: `);
  if (answer.trim().toLowerCase() !== 'yes')
    throw badInput('Nothing was changed', 'only the whole word yes confirms it.');
};
