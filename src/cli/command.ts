import type { ParseArgsOptionDescriptor } from 'node:util';
import type { Config, ParsedConfig } from '#server/config.ts';
import type { CheckToken } from '#server/donation/accept-token.ts';
import type { Records } from '#server/open-records.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { System } from '#server/system.ts';
import type { SettingsSource } from './checks/settings.ts';
import type { Report } from './output.ts';
import type { Terminal } from './terminal.ts';

export type RunDeps = {
  readonly argv: readonly string[];
  readonly readSettings: () => Promise<ParsedConfig>;
  readonly settingsSource: () => Promise<SettingsSource>;
  readonly system: System;
  readonly terminal: Terminal;
  readonly pause: (ms: number) => Promise<void>;
  readonly version: string;
  readonly commit: () => string | null;
  /** What the operator typed before the command. */
  readonly program: string;
  readonly uid: number | undefined;
};

export type CommandContext = RunDeps & {
  readonly config: Config;
  /** ISO 8601, in UTC: its first ten characters are the day. */
  readonly now: () => string;
  /** Rejects without a yes. To be asked once all that could refuse the command has been checked. */
  readonly confirm: () => Promise<void>;
  /** A running server notices by itself what is written to them: see `storage/change-watch.ts`. */
  readonly openRecords: (options?: OpenRecordsOptions) => Promise<Records>;
  readonly platform: () => Promise<PlatformLink>;
};

export type PlatformLink = {
  readonly apiUrl: string;
  readonly api: Platform;
  /** Rejects with an `OperatorError` if another request could get us banned. */
  readonly checkToken: CheckToken;
};

/** Unless it says otherwise, records that do not exist or that an older version has written are refused. */
export type OpenRecordsOptions = {
  readonly migrate?: boolean;
  /** Even if a keyring shows that there once was a database. */
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

export type Command = {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly summary: string;
  /** Rarely needed, or by programs: only its own help shows it. */
  readonly isHidden?: boolean;
  readonly options?: Readonly<Record<string, ParseArgsOptionDescriptor & { readonly help: string }>>;
  /** Ends the sentence "Type yes to …": the command destroys something. */
  readonly destroys?: (words: CommandInput['words']) => string;
  readonly load: () => Promise<RunCommand>;
};
