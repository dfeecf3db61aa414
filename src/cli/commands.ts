import { DRY_RUN, type Command } from './command.ts';
import { TOKEN_COMMANDS } from './commands/tokens/table.ts';
import { VANITY_COMMANDS } from './commands/vanity/table.ts';

/** Names, words and options only, so that help costs no more than they: what a command needs is loaded when it runs. */
const SITE: readonly Command[] = [
  {
    name: 'status',
    summary: 'shows what is stored and how the server is doing',
    run: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'doctor',
    summary: 'looks for problems and says how to fix them; changes nothing',
    run: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'config check',
    summary: 'finds wrong, misspelt and suspicious settings; changes nothing',
    judge: async () => (await import('./commands/config.ts')).checkConfig,
  },
];

const OPT_OUTS: readonly Command[] = [
  {
    name: 'optout list',
    summary: 'shows how many people opted out, and when; nobody can tell who they are',
    run: async () => (await import('./commands/optout.ts')).listOptOuts,
  },
  {
    name: 'optout check',
    parameters: '<id>',
    summary: 'says whether a person opted out; - reads IDs from standard input',
    run: async () => (await import('./commands/optout.ts')).checkOptOuts,
  },
  {
    name: 'optout add',
    parameters: '<id>',
    summary: 'stops showing a person; - reads IDs from standard input',
    run: async () => (await import('./commands/optout.ts')).addOptOuts,
  },
  {
    name: 'optout remove',
    parameters: '<id>',
    summary: 'shows a person again; - reads IDs from standard input',
    options: DRY_RUN,
    destroys: () => 'show this person again',
    run: async () => (await import('./commands/optout.ts')).removeOptOuts,
  },
];

const VAULT: readonly Command[] = [
  {
    name: 'vault status',
    summary: 'lists the keys on the keyring, and how many tokens each one seals',
    run: async () => (await import('./commands/vault.ts')).vaultStatus,
  },
  {
    name: 'vault init',
    summary: 'makes the keyring of a new site, for all of its machines; only needed with DATABASE_URL',
    run: async () => (await import('./commands/vault.ts')).initVault,
  },
  {
    name: 'vault add-key',
    summary: 'adds a key that waits for vault rotate, to be copied to all machines; only with DATABASE_URL',
    run: async () => (await import('./commands/vault.ts')).addKey,
  },
  {
    name: 'vault rotate',
    summary: 'adds a key and reseals every token with it, or finishes an interrupted rotation',
    run: async () => (await import('./commands/vault.ts')).rotateKeys,
  },
  {
    name: 'vault retire',
    parameters: '<key>',
    summary: 'removes an old key from the keyring; backups sealed with it can no longer be restored',
    options: DRY_RUN,
    destroys: ({ words }) => `remove the key ${words[0]} from the keyring`,
    run: async () => (await import('./commands/vault.ts')).retireKey,
  },
];

const DATABASE: readonly Command[] = [
  {
    name: 'backup',
    parameters: '[file]',
    summary: 'copies the database to a new file, even while the server runs, and checks the copy',
    options: {
      into: { type: 'string', help: 'a folder for regular backups, each named after its time' },
      keep: { type: 'string', help: 'with --into, how many to keep there; all by default' },
      verify: { type: 'boolean', help: 'only check that the file is intact and the keyring opens it' },
    },
    run: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'restore',
    parameters: '<file>',
    summary: 'replaces the database with a backup while the server is stopped; moves the old one aside',
    options: DRY_RUN,
    destroys: () => 'replace the database with this backup',
    run: async () => (await import('./commands/restore.ts')).restore,
  },
  {
    name: 'init',
    summary: 'starts a new site: an empty database, with the existing keyring or a new one',
    options: {
      from: { type: 'string', help: 'keep what can be saved from a database that lost its keyring' },
    },
    destroys: ({ flags }) =>
      flags['from'] === undefined ? null : 'start a new site with what can be saved from this database',
    run: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'move-records',
    summary: 'moves the database from DATA_DIR to PostgreSQL at DATABASE_URL while the server is stopped',
    run: async () => (await import('./commands/move-records.ts')).moveRecords,
  },
  {
    name: 'migrate',
    summary: 'upgrades the database, as every start does, or creates it',
    run: async () => (await import('./commands/migrate.ts')).migrate,
  },
];

const SHELL: readonly Command[] = [
  {
    name: 'completion',
    parameters: 'bash|zsh|fish',
    summary: 'prints a shell completion script',
    tell: async () => (await import('./commands/completion.ts')).completion,
  },
];

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...SITE,
  ...TOKEN_COMMANDS,
  ...VANITY_COMMANDS,
  ...OPT_OUTS,
  ...VAULT,
  ...DATABASE,
  ...SHELL,
];
