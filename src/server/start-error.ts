/** Something that must be mended before the process can start: one sentence with the remedy, and an exit code. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly exitCode: number;

  constructor(sentence: string, exitCode: number) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

/** As in sysexits.h where it has a name for it; the others are ours, told apart for scripts. */
export const EXIT = {
  failed: 1,
  keyringMissing: 70,
  keyringUnreadable: 71,
  keyringChanged: 72,
  keyringExposed: 73,
  databaseCorrupt: 74,
  databaseNewer: 75,
  databaseUnusable: 76,
  withdrawnUnreadable: 77,
  configuration: 78,
} as const;
