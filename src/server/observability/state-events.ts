import type { Logger } from './logger.ts';
import type { Registry } from './registry.ts';

/** What happens to what servers share in PostgreSQL. */
export const createStateEvents = (logger: Logger, { counter, histogram }: Registry) => {
  const called = counter<'answered' | 'failed'>(
    'whoflake_state_calls_total',
    'Messages to PostgreSQL about what servers share, by outcome',
    { label: 'outcome', known: ['answered', 'failed'] },
  );
  const took = histogram('whoflake_state_call_duration_seconds', 'Time PostgreSQL took to answer them');
  return {
    stateCalled: (tookMs: number, outcome: 'answered' | 'failed'): void => {
      called(outcome);
      took(tookMs / 1_000);
    },
    stateLost: (problem: string): void =>
      logger.error({ event: 'state-lost', problem }, 'PostgreSQL cannot be used: visitors are refused'),
    stateFound: (): void => logger.info({ event: 'state-found' }, 'PostgreSQL can be used'),
    layoutChanged: (): void =>
      logger.error(
        { event: 'layout-changed' },
        'a server of another version has changed the tables: this one stops, upgrade it',
      ),
  };
};
