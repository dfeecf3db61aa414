import { describeError } from './app-error.ts';
import { settingNames, type Config } from './config.ts';
import type { Logger } from './observability/logger.ts';
import { OperatorError } from './operator-error.ts';
import { parseSettings, withSettingsFile } from './read-settings.ts';
import type { Environment } from './setting-reader.ts';

type ReloadDeps = {
  /** As the process got it, without what a file adds. */
  readonly env: Environment;
  readonly apply: (config: Config) => { readonly tokensAdded: number; readonly tokensRemoved: number };
  readonly logger: Logger;
};

const RELOADABLE = new Set([
  'LOG_LEVEL',
  'BOT_TOKENS',
  'BOT_TOKENS_FILE',
  'LOOKUPS_PER_MINUTE',
  'LOOKUPS_PER_DAY',
]);

export const createReload = ({ env, apply, logger }: ReloadDeps): (() => void) => {
  const inForce = new Map(Object.entries(withSettingsFile(env)));

  const reload = (): void => {
    const values = withSettingsFile(env);
    const settings = parseSettings(values);
    if (!settings.ok) return refuse(settings.problems);
    const differing = settingNames().filter((name) => valueOf(values[name]) !== valueOf(inForce.get(name)));
    const changed = differing.filter((name) => RELOADABLE.has(name));
    const tokens = apply(settings.config);
    for (const name of changed) inForce.set(name, values[name]);
    logger.info({ event: 'settings-reloaded', changed, ...tokens }, 'the settings were read again');
    const waiting = differing.filter((name) => !RELOADABLE.has(name));
    if (waiting.length > 0)
      logger.warn({ event: 'restart-needed', settings: waiting }, 'these settings need a restart');
  };
  const refuse = (problems: readonly string[]): void =>
    logger.error({ event: 'settings-refused', problems }, 'the settings are wrong: nothing was changed');

  return () => {
    try {
      reload();
    } catch (error) {
      if (error instanceof OperatorError) return refuse([error.message]);
      logger.error({ event: 'reload-failed', ...describeError(error) }, 'reading the settings again failed');
    }
  };
};

const valueOf = (value: string | undefined): string => value?.trim() ?? '';
