import type { Command, RunCommand } from './command.ts';

type NameIn<Usage> = Usage extends `${infer Name} ${'<' | '['}${string}` ? Name : Usage;
type LastWord<Name> = Name extends `${string} ${infer Word}` ? Word : Name & string;
type Export<Usage> = LastWord<NameIn<Usage>>;

/** `usage` is the name, whose last word the module exports, then `<needed>` and `[optional]` words. */
const command = <const Usage extends string>(
  usage: Usage,
  load: () => Promise<Readonly<Record<Export<Usage>, RunCommand>>>,
  summary: string,
  rest: Pick<Command, 'destroys' | 'isHidden' | 'options'> = {},
): Command => {
  const parameters = usage.match(/[<[].*/)?.[0].split(' ') ?? [];
  const name = usage.replace(/ [<[].*/, '');
  const word = name.replace(/.* /, '') as Export<Usage>;
  return { name, parameters, summary, load: async () => (await load())[word], ...rest };
};

// A module, with all that it imports, is loaded only when one of its commands runs.
const backup = () => import('./commands/backup.ts');
const config = () => import('./commands/config.ts');
const doctor = () => import('./commands/doctor.ts');
const healthcheck = () => import('./commands/healthcheck.ts');
const init = () => import('./commands/init.ts');
const migrate = () => import('./commands/migrate.ts');
const notify = () => import('./commands/notify.ts');
const optout = () => import('./commands/optout.ts');
const restore = () => import('./commands/restore.ts');
const status = () => import('./commands/status.ts');
const addTokens = () => import('./commands/tokens/add.ts');
const listTokens = () => import('./commands/tokens/list.ts');
const removeToken = () => import('./commands/tokens/remove.ts');
const vanity = () => import('./commands/vanity.ts');
const vault = () => import('./commands/vault.ts');
const withdrawn = () => import('./commands/withdrawn.ts');

const json = { type: 'boolean', help: 'one JSON document' } as const;
const isHidden = true;

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  command('status', status, 'shows what is stored and how the server is doing', {
    options: { json, forget: { type: 'string', help: 'no longer miss the server of this name' } },
  }),
  command('doctor', doctor, 'looks for problems and says how to fix them; changes nothing', {
    options: { json },
  }),
  command('notify test', notify, 'sends a message to NOTIFY_URL'),
  command('config check', config, 'finds wrong, misspelt and suspicious settings', { options: { json } }),
  command('tokens list', listTokens, 'lists all tokens by short IDs, with their usage', {
    options: { json },
  }),
  command('tokens add', addTokens, 'checks and stores tokens, one per line', { options: { json } }),
  command('tokens remove <id>', removeToken, 'deletes a stored token for good', {
    destroys: ([id]) => `delete the token ${id}`,
  }),
  command(
    'withdrawn merge <file>',
    withdrawn,
    "after a restore: adds another machine's list of withdrawn tokens",
  ),
  command(
    'withdrawn release',
    withdrawn,
    'after a restore: no list is missing, stored tokens are used again',
    {
      destroys: () => 'use stored tokens that donors may have withdrawn',
    },
  ),
  command('vanity list', vanity, 'lists all links with their state and your notes'),
  command('vanity add <name> <invite>', vanity, 'makes /name redirect to the server behind an invite', {
    options: {
      replace: { type: 'boolean', help: 'change a link that is there; notes that are not given stay' },
      donor: { type: 'string', help: 'a note for you: who donated' },
      eur: { type: 'string', help: 'a note for you: how much' },
      date: { type: 'string', help: 'a note for you: when, as yyyy-mm-dd' },
    },
  }),
  command('vanity pause <name>', vanity, 'shows a notice instead of redirecting'),
  command('vanity resume <name>', vanity, 'checks the invite, and redirects again'),
  command('vanity remove <name>', vanity, 'deletes a link and its notes', {
    destroys: ([name]) => `delete the link ${name}`,
  }),
  command('optout check <id>', optout, 'says whether a person opted out; - reads IDs from standard input'),
  command('optout add <id>', optout, 'stops showing a person; - reads IDs from standard input'),
  command('optout remove <id>', optout, 'shows a person again; - reads IDs from standard input', {
    destroys: () => 'show this person again',
  }),
  command('vault status', vault, 'lists the keys on the keyring, and how many tokens each one seals'),
  command('vault rotate', vault, 'adds a key and reseals every token with it; stop all servers first'),
  command(
    'vault retire <key>',
    vault,
    'removes an old key; backups sealed with it can no longer be restored',
    {
      destroys: ([key]) => `remove the key ${key} from the keyring`,
    },
  ),
  command('backup [file]', backup, 'copies the database, even while the server runs, and checks the copy', {
    options: {
      json,
      into: { type: 'string', help: 'a folder for regular backups, each named after its time' },
      keep: { type: 'string', help: 'with --into, how many to keep there; all by default' },
      verify: { type: 'boolean', help: 'only check that the file is intact and the keyring opens it' },
    },
  }),
  command('restore <file>', restore, 'puts a backup in the place of the database, or into PostgreSQL', {
    options: { json, 'dry-run': { type: 'boolean', help: 'show what would change, and change nothing' } },
    destroys: () => 'put this backup in the place of the database',
  }),
  command('init', init, 'starts a new site: an empty database, with the existing keyring or a new one'),
  command('migrate', migrate, 'upgrades the database, as every start does', { isHidden }),
  command('healthcheck', healthcheck, 'exits with 0 if the server answers: for containers', { isHidden }),
];
