/** Codes of sysexits.h where one fits; the others are our own, so that scripts can tell them apart. */
export const EXIT = {
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
  sharedStoreUnusable: 85,
  /** May pass by itself, so a start is tried again after it. */
  sharedStoreUnreachable: 86,
} as const;

/** What `ops help` says of each. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  failed: 'failed, or found problems',
  badInput: 'wrong command; nothing was changed',
  databaseUnreachable: 'PostgreSQL cannot be reached or written to now',
  keyringMissing: 'the keyring is missing',
  keyringUnreadable: 'the keyring cannot be read, or is damaged',
  keyringChanged: 'the keyring is not the one that the database was written with',
  keyringExposed: 'others on this machine can read the keyring',
  databaseCorrupt: 'the database is damaged',
  databaseNewer: 'the database was written by a newer version',
  databaseUnusable: 'the database cannot be opened for writing, or created',
  withdrawnUnreadable: 'the list of withdrawn tokens cannot be read',
  configuration: 'wrong settings',
  serverRunning: 'a server is running that has to be stopped first',
  databaseMissing: 'the database is gone, but its keyring is there',
  notInstalled: 'Node is too old, or part of the build is missing',
  portUnavailable: 'a port is in use, or needs more rights',
  sharedStoreUnusable: 'the shared store is not fit for use',
  sharedStoreUnreachable: 'the shared store cannot be reached now',
};

/** Ends the server's start or a command, with a message for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly exitCode: number;
  /** What is wrong. A whole sentence if there is no remedy, else the part before its colon. */
  readonly finding: string;
  /** What the operator can do about it. */
  readonly remedy: string | undefined;

  constructor(exitCode: number, finding: string, remedy?: string) {
    super(remedy === undefined ? finding : `${finding}: ${remedy}`);
    this.exitCode = exitCode;
    this.finding = finding;
    this.remedy = remedy;
  }
}
