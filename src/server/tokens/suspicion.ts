import { FLIGHT_MS } from '#server/deadlines.ts';
import { HOUR_MS, MINUTE_MS } from '#server/system.ts';

const DOUBTS = 20;
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
/** Sixty refusals in ten minutes at most, however many tokens are on hold. */
const LONGEST_PAUSE_MS = 10_000;
const SOON_MS = 600_000;
const LONGEST_MASS_PAUSE_MS = 60_000;

export type SuspectVerdict = 'alive' | 'dead' | 'unclear';

/** After many refusals all tokens are suspects, checked one at a time: trying each would look like an attack. */
export type Suspicion = Readonly<typeof NO_SUSPICION>;

export const NO_SUSPICION = {
  /** Of lent tokens, and of the operator's own: neither speak against the others. */
  doubtsMs: [] as readonly number[],
  ownDoubtsMs: [] as readonly number[],
  nextMs: 0,
  pauseMs: FIRST_PAUSE_MS,
  massMs: 0,
  massPauseMs: 0,
  /** One is being checked, unless the server that does it has died. */
  checkUntilMs: 0,
};

export const checkAt = ({ nextMs, checkUntilMs }: Suspicion, nowMs: number): number =>
  checkUntilMs > nowMs ? Infinity : nextMs;

export const beginCheck = (suspicion: Suspicion, nowMs: number): Suspicion => ({
  ...suspicion,
  checkUntilMs: nowMs + FLIGHT_MS,
});

export const doubtsOf = (isOwn: boolean) => (isOwn ? 'ownDoubtsMs' : 'doubtsMs');

/** If none is left, there were too many: all of this owner are suspects from now on. */
export const addDoubt = (
  suspicion: Suspicion,
  doubts: ReturnType<typeof doubtsOf>,
  nowMs: number,
): Suspicion => {
  const doubtsMs = [...suspicion[doubts], nowMs].filter((doubtMs) => nowMs - doubtMs < WITHIN_MS);
  if (doubtsMs.length < DOUBTS) return { ...suspicion, [doubts]: doubtsMs };
  const { massMs, massPauseMs } = suspicion;
  const pauseMs =
    nowMs - massMs < SOON_MS ? Math.min(2 * massPauseMs, LONGEST_MASS_PAUSE_MS) : FIRST_PAUSE_MS;
  const nextMs = Math.max(suspicion.nextMs, nowMs + pauseMs);
  return { ...suspicion, [doubts]: [], nextMs, massMs: nowMs, massPauseMs: pauseMs };
};

/** One that works is a sign that others do: the next is checked at once. */
export const addVerdict = (suspicion: Suspicion, verdict: SuspectVerdict, nowMs: number): Suspicion => {
  if (verdict === 'alive') return { ...suspicion, nextMs: nowMs, pauseMs: FIRST_PAUSE_MS, checkUntilMs: 0 };
  const { pauseMs } = suspicion;
  return {
    ...suspicion,
    nextMs: nowMs + pauseMs,
    pauseMs: Math.min(pauseMs * 2, LONGEST_PAUSE_MS),
    checkUntilMs: 0,
  };
};

const SHORTEST_DISTANCE_MS = 5_000;
const LONGEST_DISTANCE_MS = 6 * MINUTE_MS;
/** An incident of a whole day still ends within minutes for every token. */
const OFTEN_MS = 25 * HOUR_MS;
const HOURLY_MS = 48 * HOUR_MS;
const KEPT_MS = 72 * HOUR_MS;

const distanceMs = (heldMs: number): number => {
  if (heldMs < OFTEN_MS) return Math.min(Math.max(heldMs, SHORTEST_DISTANCE_MS), LONGEST_DISTANCE_MS);
  return heldMs < HOURLY_MS ? HOUR_MS : 6 * HOUR_MS;
};

export type Hold = { readonly heldMs: number | null; readonly checkMs: number };

/** Null: it is to be retired. Without `heldMs` it is back in use. */
export const holdAfter = (beforeMs: number | null, verdict: SuspectVerdict, nowMs: number): Hold | null => {
  if (verdict === 'alive') return { heldMs: null, checkMs: nowMs };
  const heldMs = beforeMs ?? nowMs;
  const durationMs = nowMs - heldMs;
  if (verdict === 'dead' && durationMs >= KEPT_MS) return null;
  return { heldMs, checkMs: nowMs + distanceMs(durationMs) };
};
