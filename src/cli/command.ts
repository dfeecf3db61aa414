import { resolve } from 'node:path';
import type { ParseArgsOptionDescriptor } from 'node:util';
import type { Config, ParsedConfig } from '#server/config.ts';
import type { CheckToken } from '#server/donation/check-token.ts';
import type { Records } from '#server/open-records.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { System } from '#server/system.ts';
import type { SettingsSource } from './checks/settings.ts';
import type { Paint, Report } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What a command works with. Records and platform are opened when they are first asked for. */
export type CommandContext = {
  readonly config: Config;
  readonly settingsSource: () => Promise<SettingsSource>;
  readonly system: System;
  readonly terminal: Terminal;
  readonly pause: (ms: number) => Promise<void>;
  /** The time in the form that records use: ISO 8601, in UTC. Its first ten characters are the day. */
  readonly now: () => string;
  /**
   * For a command that destroys something, once it is known that it can: asks the operator, unless there is --yes or a
   * dry run, and rejects without a yes.
   */
  readonly confirm: () => Promise<void>;
  /** A running server notices by itself what is written to them: see `storage/change-watch.ts`. */
  readonly openRecords: (options?: OpenRecordsOptions) => Promise<Records>;
  readonly platform: () => Promise<PlatformLink>;
  /** Yields items at a pace that leaves most of the rate limit to lookups, and shows progress. */
  readonly oneByOne: <T>(items: readonly T[], paceMs: number) => AsyncIterable<T>;
};

/** How commands ask the platform: with the same limits as the server. */
export type PlatformLink = {
  readonly apiUrl: string;
  readonly api: Platform;
  /** Rejects with an `OperatorError` if another request could get us banned. */
  readonly checkToken: CheckToken;
};

/** Unless it says otherwise, records that do not exist or that an older version has written are refused. */
export type OpenRecordsOptions = {
  readonly migrate?: boolean;
  /** Makes the records, even if a keyring shows that there once was a database. */
  readonly isNewSite?: boolean;
};

export type CommandInput = {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
};

export type CommandResult = Report & {
  /** For the state `failed`; 1 by default. */
  readonly exitCode?: number;
  /** The error that ended the command early, printed after everything else. */
  readonly failure?: unknown;
};

export type RunCommand = (context: CommandContext, input: CommandInput) => Promise<CommandResult>;

/** What a run of the program is given. */
export type RunDeps = Pick<CommandContext, 'settingsSource' | 'system' | 'terminal' | 'pause'> & {
  readonly argv: readonly string[];
  readonly readSettings: () => Promise<ParsedConfig>;
  readonly paint: Paint;
  readonly version: string;
  /** Null if it is not known. */
  readonly commit: () => string | null;
  /** What the operator typed before the command. */
  readonly program: string;
  /** Undefined where users have no number. */
  readonly uid: number | undefined;
};

/** For a command about this program or its settings, right or wrong. */
export type RunWithoutSettings = (
  deps: RunDeps & { readonly commands: readonly Command[] },
  input: CommandInput,
) => Promise<CommandResult>;

/** `value`: what the help calls the value of a string. */
type CommandOption = ParseArgsOptionDescriptor & { readonly help: string; readonly value?: string };

export type CommandDescription = {
  /** One word or two. */
  readonly name: string;
  /** What follows the name, as the help shows it. Optional words are in brackets. */
  readonly parameters: readonly string[];
  readonly summary: string;
  /** Rarely needed, or by programs: only its own help shows it. */
  readonly isHidden?: true;
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Ends the sentence "Type yes to …": the command destroys something. Null if this call of it does not. */
  readonly destroys?: (input: CommandInput) => string | null;
};

/** The module of a command, with all that it imports, is loaded only when the command runs. */
export type CommandWork =
  | { readonly run: () => Promise<RunCommand> }
  | { readonly runWithoutSettings: () => Promise<RunWithoutSettings> };

export type Command = CommandDescription & CommandWork;

/** For the `options` of a command that deletes or overwrites something; the command must ask `isDryRun`. */
export const DRY_RUN = {
  'dry-run': { type: 'boolean', help: 'show what would change, and change nothing' },
} as const satisfies CommandDescription['options'];

export const isDryRun = ({ flags }: CommandInput): boolean => flags['dry-run'] === true;

/** The operator's mistake: nothing was changed. */
export const badInput = (finding: string, remedy?: string): OperatorError =>
  new OperatorError(EXIT.badInput, finding, remedy);

/** The platform's, the disk's or the network's fault. */
export const failed = (finding: string, remedy?: string): OperatorError =>
  new OperatorError(EXIT.failed, finding, remedy);

/** Names the folder and where the settings come from: often it is the wrong folder. */
export const noRecords = (dataDir: string, source: SettingsSource): OperatorError =>
  new OperatorError(
    EXIT.databaseMissing,
    `There is no database in ${resolve(dataDir)} (${describeSource(source)})`,
    'check DATA_DIR, and whether its disk is mounted; a new site begins with ops init, or with the first start of the server.',
  );

export const describeSource = ({ file }: SettingsSource): string =>
  file === null ? 'no settings file found, see --env-file' : `settings from ${file.path}`;
