import type { Command, CommandDescription, CommandWork } from './command.ts';

type Rest = Omit<CommandDescription, 'name' | 'parameters' | 'summary'> & CommandWork;

/** `usage` is the name, then `<needed>` and `[optional]` words. */
const command = (usage: string, summary: string, rest: Rest): Command => {
  const words = usage.split(' ');
  const isParameter = (word: string): boolean => /[<[]/.test(word);
  const name = words.filter((word) => !isParameter(word)).join(' ');
  return { name, parameters: words.filter(isParameter), summary, ...rest };
};

const JSON_OUTPUT = {
  json: { type: 'boolean', help: 'one JSON document' },
} as const satisfies CommandDescription['options'];

const NOTES = {
  donor: { type: 'string', value: 'name', help: 'a note for you: who donated' },
  eur: { type: 'string', value: 'amount', help: 'a note for you: how much' },
  date: { type: 'string', value: 'yyyy-mm-dd', help: 'a note for you: when' },
} as const satisfies CommandDescription['options'];

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  command('status', 'shows what is stored and how the server is doing', {
    options: {
      ...JSON_OUTPUT,
      forget: { type: 'string', value: 'server', help: 'no longer miss a server that is gone for good' },
    },
    run: async () => (await import('./commands/status.ts')).status,
  }),
  command('doctor', 'looks for problems and says how to fix them; changes nothing', {
    options: JSON_OUTPUT,
    run: async () => (await import('./commands/doctor.ts')).doctor,
  }),
  command('notify test', 'sends a message to NOTIFY_URL', {
    run: async () => (await import('./commands/notify.ts')).testNotify,
  }),
  command('config check', 'finds wrong, misspelt and suspicious settings; changes nothing', {
    options: JSON_OUTPUT,
    runWithoutSettings: async () => (await import('./commands/config.ts')).checkConfig,
  }),
  command('tokens list', 'lists stored tokens and your own by short IDs, with their usage', {
    options: JSON_OUTPUT,
    run: async () => (await import('./commands/tokens/list.ts')).listTokens,
  }),
  command('tokens add', 'checks and stores tokens from a prompt or standard input, one per line', {
    options: JSON_OUTPUT,
    run: async () => (await import('./commands/tokens/add.ts')).addTokens,
  }),
  command('tokens remove <id>', 'deletes a stored token for good', {
    destroys: ({ words }) => `delete the token ${words[0]}`,
    run: async () => (await import('./commands/tokens/remove.ts')).removeToken,
  }),
  command('withdrawn merge <file>', "after a restore: adds another machine's list of withdrawn tokens", {
    run: async () => (await import('./commands/withdrawn.ts')).mergeWithdrawn,
  }),
  command('withdrawn release', 'after a restore: no list is missing, stored tokens are used again', {
    destroys: () => 'use stored tokens that donors may have withdrawn',
    run: async () => (await import('./commands/withdrawn.ts')).releaseTokens,
  }),
  command('vanity list', 'lists all links with their state and your notes', {
    run: async () => (await import('./commands/vanity/links.ts')).listLinks,
  }),
  command('vanity add <name> <invite>', 'makes /name redirect to the server behind an invite', {
    options: {
      replace: { type: 'boolean', help: 'change a link that is there; notes that are not given stay' },
      ...NOTES,
    },
    run: async () => (await import('./commands/vanity/add.ts')).addLink,
  }),
  command('vanity pause <name>', 'shows a notice instead of redirecting', {
    run: async () => (await import('./commands/vanity/links.ts')).pauseLink,
  }),
  command('vanity resume <name>', 'checks the invite, and redirects again', {
    run: async () => (await import('./commands/vanity/links.ts')).resumeLink,
  }),
  command('vanity remove <name>', 'deletes a link and its notes', {
    destroys: ({ words }) => `delete the link ${words[0]}`,
    run: async () => (await import('./commands/vanity/links.ts')).removeLink,
  }),
  command('optout check <id>', 'says whether a person opted out; - reads IDs from standard input', {
    run: async () => (await import('./commands/optout.ts')).checkOptOuts,
  }),
  command('optout add <id>', 'stops showing a person; - reads IDs from standard input', {
    run: async () => (await import('./commands/optout.ts')).addOptOuts,
  }),
  command('optout remove <id>', 'shows a person again; - reads IDs from standard input', {
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
    destroys: ({ words }) => `remove the key ${words[0]} from the keyring`,
    run: async () => (await import('./commands/vault.ts')).retireOldKey,
  }),
  command('backup [file]', 'copies the database, even while the server runs, and checks the copy', {
    options: {
      ...JSON_OUTPUT,
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
    'replaces the database with a backup, or moves one to PostgreSQL; stop the server first',
    {
      options: {
        ...JSON_OUTPUT,
        'dry-run': { type: 'boolean', help: 'show what would change, and change nothing' },
      },
      destroys: () => 'put this backup in the place of the database',
      run: async () => (await import('./commands/restore.ts')).restore,
    },
  ),
  command('init', 'starts a new site: an empty database, with the existing keyring or a new one', {
    run: async () => (await import('./commands/init.ts')).init,
  }),
  command('migrate', 'upgrades the database, as every start does', {
    isHidden: true,
    run: async () => (await import('./commands/migrate.ts')).migrate,
  }),
  command('healthcheck', 'exits with 0 if the server answers: for Docker, Podman and Kubernetes', {
    isHidden: true,
    runWithoutSettings: async () => (await import('./commands/healthcheck.ts')).healthcheck,
  }),
  command('version', 'shows the versions of this program, of Node and of the database format', {
    isHidden: true,
    runWithoutSettings: async () => (await import('./commands/version.ts')).showVersion,
  }),
];
