import type { ParseArgsOptionDescriptor } from 'node:util';
import type { Config } from '#server/config.ts';
import type { Records } from '#server/open-records.ts';
import type { System } from '#server/system.ts';
import type { PlatformLink } from './platform-link.ts';
import type { Terminal } from './terminal.ts';

/** What a command works with. Records and platform are opened when they are first asked for. */
export type CommandContext = {
  readonly config: Config;
  readonly system: System;
  readonly terminal: Terminal;
  readonly pause: (ms: number) => Promise<void>;
  readonly openRecords: (options?: OpenRecordsOptions) => Promise<Records>;
  readonly platform: () => PlatformLink;
};

/** Records that are not there, or that an older version has written, are refused unless it says otherwise. */
export type OpenRecordsOptions = { readonly create?: boolean; readonly migrate?: boolean };

export type CommandInput = {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
};

/** What a command has to say: the document of `--json`, and the same as lines to read. */
export type CommandResult = {
  readonly data: object;
  readonly lines: readonly string[];
  /** 0 unless said. */
  readonly exitCode?: number;
  /** What ended the command before its time: said after the rest. */
  readonly failure?: unknown;
};

export type Command = {
  /** One word or two. */
  readonly name: string;
  /** What follows the name, as the help shows it. Optional words are in brackets. */
  readonly parameters?: string;
  readonly summary: string;
  readonly options?: Readonly<Record<string, ParseArgsOptionDescriptor & { readonly help: string }>>;
  /** Ends the sentence "Type yes to …": the command destroys something. Null if it does not, as it was called. */
  readonly destroys?: (input: CommandInput) => string | null;
  readonly run: (context: CommandContext, input: CommandInput) => Promise<CommandResult>;
};

/** A command that cannot do what it was asked to: one sentence, and how the process ends. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(sentence: string, exitCode: number) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

/** The operator's mistake: nothing was changed. */
export const badInput = (sentence: string): CommandError => new CommandError(sentence, 2);

/** Somebody else's: the platform's, the disk's. */
export const failed = (sentence: string): CommandError => new CommandError(sentence, 1);

export const noRecords = (dataDir: string): CommandError =>
  badInput(`There are no records in ${dataDir}: check DATA_DIR, or start the server once.`);
