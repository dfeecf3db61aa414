import { createSuspicion, type SuspectVerdict } from './suspicion.ts';

/** Tokens that are out of use until the platform was asked about them. */
export const createSuspects = <T>() => {
  const suspicion = createSuspicion();
  const waiting = new Set<T>();
  let asked: T | undefined;
  const size = (): number => waiting.size + (asked === undefined ? 0 : 1);

  const remove = (suspect: T): void => {
    waiting.delete(suspect);
    if (asked === suspect) asked = undefined;
    if (size() === 0) suspicion.over();
  };

  return {
    add: (suspect: T): void => void waiting.add(suspect),
    remove,
    size,
    doubted: suspicion.doubted,
    /** When the next one may be asked; Infinity while one is being asked, and if there is none. */
    nextMs: () => (size() === 0 ? Infinity : suspicion.nextMs()),
    take: (nowMs: number): T | undefined => {
      const [next] = waiting;
      if (next === undefined || suspicion.nextMs() > nowMs) return undefined;
      waiting.delete(next);
      asked = next;
      suspicion.asked();
      return next;
    },
    /** True if it was still a suspect; with a plain answer it is none any more. */
    answered: (suspect: T, verdict: SuspectVerdict, nowMs: number): boolean => {
      suspicion.answered(verdict, nowMs);
      if (asked !== suspect) return false;
      if (verdict === 'unclear') waiting.add(suspect);
      asked = undefined;
      if (size() === 0) suspicion.over();
      return true;
    },
  };
};
