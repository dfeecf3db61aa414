import { addDoubt, addVerdict, createSuspicion, endSuspicion, type SuspectVerdict } from '../suspicion.ts';

/** Tokens that are out of use until the platform was asked about them. */
export const createSuspects = <T>() => {
  const suspicion = createSuspicion();
  const waiting = new Set<T>();
  let isAsking = false;
  let asked: T | undefined;
  const size = (): number => waiting.size + (asked === undefined ? 0 : 1);
  const nextMs = (): number => (size() === 0 || isAsking ? Infinity : suspicion.nextMs);

  const remove = (suspect: T): void => {
    waiting.delete(suspect);
    if (asked === suspect) asked = undefined;
    if (size() === 0) endSuspicion(suspicion);
  };

  return {
    add: (suspect: T): void => void waiting.add(suspect),
    remove,
    size,
    doubted: (nowMs: number): boolean => addDoubt(suspicion, nowMs),
    /** When the next one may be asked; Infinity while one is being asked, and if there is none. */
    nextMs,
    take: (nowMs: number): T | undefined => {
      const [next] = waiting;
      if (next === undefined || nextMs() > nowMs) return undefined;
      waiting.delete(next);
      asked = next;
      isAsking = true;
      return next;
    },
    /** True if it was still a suspect; with a plain answer it is none any more. */
    answered: (suspect: T, verdict: SuspectVerdict, nowMs: number): boolean => {
      addVerdict(suspicion, verdict, nowMs);
      isAsking = false;
      if (asked !== suspect) return false;
      if (verdict === 'unclear') waiting.add(suspect);
      asked = undefined;
      if (size() === 0) endSuspicion(suspicion);
      return true;
    },
  };
};
