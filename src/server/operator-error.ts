export type ExitCode = { readonly code: number; readonly meaning: string; readonly remedy?: string };

/**
 * Every way in which the server or a command ends; the help and the runbook are made from it. Numbers of sysexits.h
 * where one fits; the others are our own, so that scripts can tell them apart.
 */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'done, or there was nothing left to do; the server was told to stop' },
  failed: { code: 1, meaning: 'failed, or found problems', remedy: 'the last lines say which' },
  badInput: { code: 2, meaning: 'wrong command; nothing was changed', remedy: 'see ops help' },
  /** May pass by itself, so a start is tried again after it. */
  databaseUnreachable: {
    code: 69,
    meaning: 'PostgreSQL cannot be reached or written to now',
    remedy: 'check that it runs, the network and DATABASE_URL',
  },
  keyringMissing: {
    code: 70,
    meaning: 'the keyring is missing',
    remedy: 'put it back, or set KEYRING_FILE to where it is',
  },
  keyringUnreadable: {
    code: 71,
    meaning: 'the keyring cannot be read, or is damaged',
    remedy: 'check its owner, or put back a copy',
  },
  keyringChanged: {
    code: 72,
    meaning: 'the keyring is not the one that the database was written with',
    remedy: 'put the right one back',
  },
  keyringExposed: {
    code: 73,
    meaning: 'others on this machine can read the keyring',
    remedy: 'run chmod 600 on it',
  },
  databaseCorrupt: {
    code: 74,
    meaning: 'the database or backup is damaged',
    remedy: 'move it away and restore another backup',
  },
  databaseNewer: {
    code: 75,
    meaning: 'the database or backup was written by a newer version',
    remedy: 'use that version, or another backup',
  },
  databaseUnusable: {
    code: 76,
    meaning: 'the database cannot be opened, written or created',
    remedy: 'check the user that runs this, the owner of DATA_DIR and the disk',
  },
  withdrawnUnreadable: {
    code: 77,
    meaning: 'the list of withdrawn tokens cannot be read',
    remedy: 'check its owner',
  },
  configuration: {
    code: 78,
    meaning: 'wrong settings',
    remedy: 'each is named with what is expected; see ops config check',
  },
  serverRunning: {
    code: 79,
    meaning: 'a server is running on this DATA_DIR, or one of an earlier version on these records',
    remedy: 'stop it first',
  },
  databaseMissing: {
    code: 80,
    meaning: 'there is no database where the settings say',
    remedy: 'check DATA_DIR or DATABASE_URL, restore a backup, or begin a new site with ops init',
  },
  /** The programs in `bin` have the number too. */
  notInstalled: {
    code: 81,
    meaning: 'Node is too old, or a program or part of the build is missing',
    remedy: 'the last line says which',
  },
  portUnavailable: {
    code: 82,
    meaning: 'a port is in use, or needs more rights',
    remedy: 'choose another',
  },
} as const satisfies Record<string, ExitCode>;

type ExitName = keyof typeof EXIT_CODES;

export const EXIT = Object.fromEntries(
  Object.entries(EXIT_CODES).map(([name, { code }]) => [name, code]),
) as { readonly [Name in ExitName]: (typeof EXIT_CODES)[Name]['code'] };

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
