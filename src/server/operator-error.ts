/** Explained in docs/operations.md. Numbers of sysexits.h where one fits, else our own, for scripts. */
export const EXIT = {
  done: 0,
  failed: 1,
  badInput: 2,
  /** May pass by itself, so a start is tried again after it. */
  databaseUnreachable: 69,
  keyringMissing: 70,
  keyringUnreadable: 71,
  keyringChanged: 72,
  keyringExposed: 73,
  databaseCorrupt: 74,
  databaseNewer: 75,
  databaseUnusable: 76,
  withdrawnUnreadable: 77,
  configuration: 78,
  serverRunning: 79,
  databaseMissing: 80,
  /** The programs in `bin` have the number too. */
  notInstalled: 81,
  portUnavailable: 82,
} as const;

export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly exitCode: number;
  /** What is wrong. A whole sentence if there is no remedy, else the part before its colon. */
  readonly finding: string;
  readonly remedy: string | undefined;

  constructor(exitCode: number, finding: string, remedy?: string) {
    super(remedy === undefined ? finding : `${finding}: ${remedy}`);
    this.exitCode = exitCode;
    this.finding = finding;
    this.remedy = remedy;
  }
}
