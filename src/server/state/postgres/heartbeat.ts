import type { CancelTimer, Clock } from '#server/system.ts';
import type { StateEvents } from '../state.ts';

export type HeartbeatDeps = {
  readonly clock: Clock;
  readonly work: () => Promise<void>;
  readonly after: () => Promise<void>;
  readonly events: Pick<StateEvents, 'stateLost' | 'stateFound'>;
};

const BEAT_MS = 1_000;
const BEAT_WHILE_LOST_MS = 250;

export const createHeartbeat = ({ clock, work, after, events }: HeartbeatDeps) => {
  let problem: string | null = 'not connected yet';
  let beating: Promise<Error | null> | null = null;
  let cancelTimer: CancelTimer = () => {};
  let isStopped = false;

  const note = (fault: Error | null): void => {
    const before = problem;
    problem = fault === null ? null : fault.message;
    if (before === null && problem !== null) events.stateLost(problem);
    if (before !== null && problem === null) events.stateFound();
  };
  const beatOnce = async (): Promise<Error | null> => {
    const fault = await work().then(
      () => null,
      (error: Error) => error,
    );
    beating = null;
    note(fault);
    if (fault === null) void after();
    if (!isStopped)
      cancelTimer = clock.after(fault === null ? BEAT_MS : BEAT_WHILE_LOST_MS, () => void beat());
    return fault;
  };
  const beat = (): Promise<Error | null> => {
    cancelTimer();
    beating ??= beatOnce();
    return beating;
  };

  return {
    beat,
    problem: () => problem,
    stop: (): void => {
      isStopped = true;
      cancelTimer();
    },
  };
};
