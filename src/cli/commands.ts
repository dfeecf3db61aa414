import { DRY_RUN, type Command, type CommandDescription, type CommandWork } from './command.ts';

type Rest = Omit<CommandDescription, 'name' | 'parameters' | 'summary'> & CommandWork;

/** `usage` is the name, then `<needed>`, `[optional]` and `either|or` words. */
const command = (usage: string, summary: string, rest: Rest): Command => {
  const words = usage.split(' ');
  const isParameter = (word: string): boolean => /[<[|]/.test(word);
  const name = words.filter((word) => !isParameter(word)).join(' ');
  return { name, parameters: words.filter(isParameter), summary, ...rest };
};

const NOTES = {
  donor: { type: 'string', value: 'name', help: 'a note for you: who donated' },
  eur: { type: 'string', value: 'amount', help: 'a note for you: how much' },
  date: { type: 'string', value: 'yyyy-mm-dd', help: 'a note for you: when' },
} as const satisfies CommandDescription['options'];

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  command('status', 'shows what is stored and how the server is doing', {
    options: {
      forget: { type: 'string', value: 'server', help: 'no longer miss a server that is gone for good' },
    },
    run: async () => (await import('./commands/status.ts')).status,
  }),
  command('doctor', 'looks for problems and says how to fix them; changes nothing', {
    run: async () => (await import('./commands/doctor.ts')).doctor,
  }),
  command('notify test', 'sends a message to NOTIFY_URL', {
    run: async () => (await import('./commands/notify.ts')).testNotify,
  }),
  command('config check', 'finds wrong, misspelt and suspicious settings; changes nothing', {
    runWithoutSettings: async () => (await import('./commands/config.ts')).checkConfig,
  }),
  command('tokens list', 'lists stored tokens and your own by short IDs, with their usage', {
    run: async () => (await import('./commands/tokens/list.ts')).listTokens,
  }),
  command('tokens add', 'checks and stores tokens from a prompt or standard input, one per line', {
    run: async () => (await import('./commands/tokens/add.ts')).addTokens,
  }),
  command('tokens check', 'asks the platform about every token, one per second', {
    run: async () => (await import('./commands/tokens/check.ts')).checkTokens,
  }),
  command('tokens remove <id>', 'deletes a stored token for good', {
    options: DRY_RUN,
    destroys: ({ words }) => `delete the token ${words[0]}`,
    run: async () => (await import('./commands/tokens/remove.ts')).removeToken,
  }),
  command(
    'withdrawn merge|hold|release [file]',
    'after a restore: the lists of withdrawn tokens, see docs/backup.md',
    {
      options: DRY_RUN,
      destroys: ({ words }) =>
        words[0] === 'release' ? 'use stored tokens that donors may have withdrawn' : null,
      run: async () => (await import('./commands/withdrawn.ts')).withdrawn,
    },
  ),
  command('vanity list', 'lists all links with their state and your notes', {
    run: async () => (await import('./commands/vanity/links.ts')).listLinks,
  }),
  command('vanity add <name> <invite>', 'makes /name redirect to the server behind an invite', {
    options: NOTES,
    run: async () => (await import('./commands/vanity/add.ts')).addLink,
  }),
  command('vanity change <name>', 'changes the invite of a link or its notes; what is not named stays', {
    options: { invite: { type: 'string', value: 'invite', help: 'lead to this one instead' }, ...NOTES },
    run: async () => (await import('./commands/vanity/add.ts')).changeLink,
  }),
  command('vanity pause <name>', 'shows a notice instead of redirecting', {
    run: async () => (await import('./commands/vanity/links.ts')).pauseLink,
  }),
  command('vanity resume <name>', 'checks the invite, and redirects again', {
    options: { repin: { type: 'boolean', help: 'accept that the invite now leads to a different server' } },
    run: async () => (await import('./commands/vanity/links.ts')).resumeLink,
  }),
  command('vanity remove <name>', 'deletes a link and its notes', {
    options: DRY_RUN,
    destroys: ({ words }) => `delete the link ${words[0]}`,
    run: async () => (await import('./commands/vanity/links.ts')).removeLink,
  }),
  command('vanity check [name]', 'checks the invites, and pauses links that lead elsewhere now', {
    run: async () => (await import('./commands/vanity/links.ts')).checkLinks,
  }),
  command('optout list', 'shows how many people opted out, and when; nobody can tell who they are', {
    run: async () => (await import('./commands/optout.ts')).listOptOuts,
  }),
  command('optout check <id>', 'says whether a person opted out; - reads IDs from standard input', {
    run: async () => (await import('./commands/optout.ts')).checkOptOuts,
  }),
  command('optout add <id>', 'stops showing a person; - reads IDs from standard input', {
    run: async () => (await import('./commands/optout.ts')).addOptOuts,
  }),
  command('optout remove <id>', 'shows a person again; - reads IDs from standard input', {
    options: DRY_RUN,
    destroys: () => 'show this person again',
    run: async () => (await import('./commands/optout.ts')).removeOptOuts,
  }),
  command('vault status', 'lists the keys on the keyring, and how many tokens each one seals', {
    run: async () => (await import('./commands/vault.ts')).vaultStatus,
  }),
  command('vault rotate', 'adds a key and reseals every token with it; stop all servers first', {
    run: async () => (await import('./commands/vault.ts')).rotateKeys,
  }),
  command('vault retire <key>', 'removes an old key; backups sealed with it can no longer be restored', {
    options: DRY_RUN,
    destroys: ({ words }) => `remove the key ${words[0]} from the keyring`,
    run: async () => (await import('./commands/vault.ts')).retireOldKey,
  }),
  command('backup [file]', 'copies the database, even while the server runs, and checks the copy', {
    options: {
      into: {
        type: 'string',
        value: 'folder',
        help: 'a folder for regular backups, each named after its time',
      },
      keep: { type: 'string', value: 'number', help: 'with --into, how many to keep there; all by default' },
      verify: { type: 'boolean', help: 'only check that the file is intact and the keyring opens it' },
    },
    run: async () => (await import('./commands/backup.ts')).backup,
  }),
  command(
    'restore <file>',
    'replaces the database with a backup, and keeps the old one; stop the server first',
    {
      options: DRY_RUN,
      destroys: () => 'replace the database with this backup',
      run: async () => (await import('./commands/restore.ts')).restore,
    },
  ),
  command('init', 'starts a new site: an empty database, with the existing keyring or a new one', {
    options: {
      from: {
        type: 'string',
        value: 'file',
        help: 'keep what can be saved from a database that lost its keyring',
      },
    },
    destroys: ({ flags }) =>
      flags['from'] === undefined ? null : 'start a new site with what can be saved from this database',
    run: async () => (await import('./commands/init.ts')).init,
  }),
  command('move-records', 'moves the database from DATA_DIR to DATABASE_URL; stop the server first', {
    isHidden: true,
    options: DRY_RUN,
    destroys: () => 'move the records to PostgreSQL',
    run: async () => (await import('./commands/move-records.ts')).moveRecords,
  }),
  command('migrate', 'upgrades the database, as every start does', {
    isHidden: true,
    run: async () => (await import('./commands/migrate.ts')).migrate,
  }),
  command('version', 'shows the versions of this program, of Node and of the database format', {
    isHidden: true,
    runWithoutSettings: async () => (await import('./commands/version.ts')).showVersion,
  }),
  command(
    'completion bash|zsh|fish [line]',
    'prints a shell completion script, or what can follow in a line',
    {
      isHidden: true,
      runWithoutSettings: async () => (await import('./usage/completion.ts')).completion,
    },
  ),
];
