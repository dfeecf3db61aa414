import type { Logger } from './logger.ts';
import type { Registry } from './registry.ts';

/** Only where a store is used. `isUp` is asked when the metrics are read. */
export const createSharedStoreEvents = (logger: Logger, registry: Registry, isUp: () => boolean) => {
  const { counter, histogram, gauge, total } = registry;
  let sessions = 0;
  gauge('whoflake_shared_store_up', '1 while the shared store can be used', () => Number(isUp()));
  total('whoflake_shared_store_sessions_total', 'Connections made to the shared store', () => sessions);
  const called = counter<'answered' | 'failed'>(
    'whoflake_shared_store_calls_total',
    'Questions to the shared store by outcome',
    { label: 'outcome', known: ['answered', 'failed'] },
  );
  const took = histogram(
    'whoflake_shared_store_call_duration_seconds',
    'Time the shared store took to answer',
  );
  return {
    sharedStoreCalled: (tookMs: number, outcome: 'answered' | 'failed'): void => {
      called(outcome);
      took(tookMs / 1_000);
    },
    sharedStoreLost: (problem: string): void =>
      logger.error({ event: 'shared-store-lost', problem }, 'the shared store cannot be used'),
    sharedStoreFound: (): void => {
      sessions += 1;
      logger.info({ event: 'shared-store-found' }, 'the shared store can be used');
    },
  };
};
