import type { Logger } from './logger.ts';
import type { Registry } from './registry.ts';

/** Counts the machines whose lists of withdrawn tokens are missing, and logs them when that changes. */
export const createListsAwaited = (logger: Logger, registry: Registry) => {
  let awaited: readonly string[] = [];
  registry.gauge(
    'whoflake_withdrawn_lists_awaited',
    'Machines whose list of withdrawn tokens is missing since a restore; no stored token is used meanwhile',
    () => awaited.length,
  );
  return (machines: readonly string[]): void => {
    if (machines.length > 0 && machines.join() !== awaited.join())
      logger.error(
        { event: 'withdrawn-lists-awaited', machines },
        'stored tokens are not used until these machines have merged their lists of withdrawn tokens: start them, or see ops help withdrawn',
      );
    awaited = machines;
  };
};
