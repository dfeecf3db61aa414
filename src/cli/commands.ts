import { DRY_RUN, type Command } from './command.ts';
import { TOKEN_COMMANDS } from './commands/tokens/table.ts';
import { VANITY_COMMANDS } from './commands/vanity/table.ts';

/** Names, words and options only, so that help costs no more than they: what a command needs is loaded when it runs. */
const SITE: readonly Command[] = [
  {
    name: 'status',
    summary: 'what is stored, and what a running server says of itself',
    run: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'doctor',
    summary: 'looks for what is wrong and says how to fix it; changes nothing',
    run: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'config check',
    summary: 'names everything that is wrong with the settings, or seems not to be meant; changes nothing',
    judge: async () => (await import('./commands/config.ts')).checkConfig,
  },
];

const OPT_OUTS: readonly Command[] = [
  {
    name: 'optout list',
    summary: 'how many are not shown, and since when; nobody can tell whose they are',
    run: async () => (await import('./commands/optout.ts')).listOptOuts,
  },
  {
    name: 'optout check',
    parameters: '<id>',
    summary: 'whether a person is on the list; - reads ids from standard input',
    run: async () => (await import('./commands/optout.ts')).checkOptOuts,
  },
  {
    name: 'optout add',
    parameters: '<id>',
    summary: 'never shows a person again; - reads ids from standard input',
    run: async () => (await import('./commands/optout.ts')).addOptOuts,
  },
  {
    name: 'optout remove',
    parameters: '<id>',
    summary: 'shows a person again; - reads ids from standard input',
    options: DRY_RUN,
    destroys: () => 'show this person again',
    run: async () => (await import('./commands/optout.ts')).removeOptOuts,
  },
];

const VAULT: readonly Command[] = [
  {
    name: 'vault status',
    summary: 'the keys on the ring, and how many tokens each of them seals',
    run: async () => (await import('./commands/vault.ts')).vaultStatus,
  },
  {
    name: 'vault rotate',
    summary: 'adds a key and seals every token under it, or finishes a rotation that was interrupted',
    run: async () => (await import('./commands/vault.ts')).rotateKeys,
  },
  {
    name: 'vault retire',
    parameters: '<key>',
    summary: 'takes an old key off the ring; backups sealed with it can no longer be restored',
    options: DRY_RUN,
    destroys: ({ words }) => `take the key ${words[0]} off the ring`,
    run: async () => (await import('./commands/vault.ts')).retireKey,
  },
];

const DATABASE: readonly Command[] = [
  {
    name: 'backup',
    parameters: '[file]',
    summary: 'copies the database into a new file, also while the server runs, and checks the copy',
    options: {
      into: { type: 'string', help: 'a folder instead of the file: for every day, named by the time' },
      keep: { type: 'string', help: 'with --into, how many to keep there; all of them unless said' },
      verify: { type: 'boolean', help: 'only checks the file: whole, known, opened by the keyring' },
    },
    run: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'restore',
    parameters: '<file>',
    summary: 'makes a backup the database, with the server stopped; what is there is moved aside',
    options: DRY_RUN,
    destroys: () => 'make this backup the database',
    run: async () => (await import('./commands/restore.ts')).restore,
  },
  {
    name: 'init',
    summary: 'begins a new site: an empty database, for the keyring that is there or for a new one',
    options: {
      from: { type: 'string', help: 'takes over what can be saved of a database without its keyring' },
    },
    destroys: ({ flags }) =>
      flags['from'] === undefined ? null : 'begin a new site with what can be saved of this database',
    run: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'migrate',
    summary: 'brings the database up to date, as every start does, or makes it',
    run: async () => (await import('./commands/migrate.ts')).migrate,
  },
];

const SHELL: readonly Command[] = [
  {
    name: 'completion',
    parameters: 'bash|zsh|fish',
    summary: 'prints a script that lets the shell complete commands and options',
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
