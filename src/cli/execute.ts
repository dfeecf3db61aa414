import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { isDatabaseLost } from '#server/storage/data-folder.ts';
import { inspectRecords, openRecords, type Records } from '#server/open-records.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { wrongSettings } from '#server/read-settings.ts';
import { nullOnFileError } from '#server/storage/storage-fault.ts';
import { isoTime } from '#server/system.ts';
import type {
  Command,
  CommandContext,
  CommandInput,
  CommandResult,
  PlatformLink,
  RunDeps,
} from './command.ts';
import { ownerOf } from './file-owner.ts';
import { badInput, noRecords } from './failure.ts';

/** A folder seems empty to a user who may not list it, and the server could not read what root creates in it. */
const refuseWrongUser = (dataDir: string, uid: number | undefined): void => {
  const owner = ownerOf(dataDir);
  if (owner === null) return;
  const isClosed = nullOnFileError(() => accessSync(dataDir, constants.R_OK | constants.X_OK)) === null;
  if (!isClosed && (uid !== 0 || owner.uid === 0)) return;
  throw new OperatorError(
    EXIT.databaseUnusable,
    `${dataDir} belongs to ${owner.name}, another user than this`,
    // Nobody runs the server as root: a command or a copy by root has left it like this.
    owner.uid === 0
      ? `run chown -R ${userInfo().username} ${dataDir} as root.`
      : `run this as that user, for example as root with runuser -u ${owner.name} -- in front.`,
  );
};

const createContext = async (
  { name, destroys }: Command,
  { words, flags }: CommandInput,
  deps: RunDeps,
): Promise<CommandContext & { readonly close: () => Promise<void> }> => {
  const settings = await deps.readSettings();
  if (!settings.ok) throw wrongSettings(settings.problems);
  const { config } = settings;
  const { system, terminal } = deps;
  refuseWrongUser(config.dataDir, deps.uid);
  let records: Promise<Records> | undefined;
  let platform: Promise<PlatformLink> | undefined;

  const open: CommandContext['openRecords'] = async ({ migrate = false, isNewSite = false } = {}) => {
    const { kind } = await inspectRecords(config);
    if (!isNewSite && kind === 'absent' && config.databaseUrl === null && !isDatabaseLost(config))
      throw noRecords(config.dataDir, await deps.settingsSource());
    if (!migrate && kind === 'outdated')
      throw badInput('The database is from an older version', 'run ops migrate, or start the server.');
    return openRecords(config, system, { isNewSite });
  };
  const context: CommandContext = {
    ...deps,
    config,
    now: () => isoTime(system.clock),
    openRecords: (wanted) => (records ??= open(wanted)),
    platform: () =>
      (platform ??= import('./platform-link.ts').then(({ createPlatformLink }) =>
        createPlatformLink(context),
      )),
    confirm: async () => {
      const what = destroys?.(words);
      if (what === undefined || flags['yes'] === true) return;
      if (!terminal.isInteractive)
        throw badInput(`${name} needs a confirmation`, `add --yes to ${what} without being asked.`);
      terminal.progress('');
      const answer = await terminal.ask(`Type yes to ${what}: `);
      if (answer.trim().toLowerCase() !== 'yes')
        throw badInput('Nothing was changed', 'only the whole word yes confirms it.');
    },
  };
  const close = async (): Promise<void> => {
    // A failure to open one of them was already reported: it ended the command.
    const [link, opened] = await Promise.allSettled([platform, records]);
    if (link.status === 'fulfilled') await link.value?.api.close();
    if (opened.status === 'fulfilled') await opened.value?.close();
  };
  return { ...context, close };
};

export const execute = async (
  command: Command,
  input: CommandInput,
  deps: RunDeps,
): Promise<CommandResult> => {
  const context = await createContext(command, input, deps);
  try {
    const run = await command.load();
    return await run(context, input);
  } finally {
    deps.terminal.progress('');
    await context.close();
  }
};
