import type { Command } from './command.ts';
import { backup } from './commands/backup.ts';
import { checkConfig } from './commands/config.ts';
import { doctor } from './commands/doctor.ts';
import { init } from './commands/init.ts';
import { migrate } from './commands/migrate.ts';
import { OPT_OUT_COMMANDS } from './commands/optout.ts';
import { restore } from './commands/restore.ts';
import { status } from './commands/status.ts';
import { TOKEN_COMMANDS } from './commands/tokens.ts';
import { VANITY_COMMANDS } from './commands/vanity.ts';
import { VAULT_COMMANDS } from './commands/vault.ts';

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  status,
  doctor,
  checkConfig,
  ...TOKEN_COMMANDS,
  ...VANITY_COMMANDS,
  ...OPT_OUT_COMMANDS,
  ...VAULT_COMMANDS,
  backup,
  restore,
  init,
  migrate,
];
