import { createCounts, type Counts } from '../load/figures.ts';

export type VisitKind = 'popular' | 'new';

/** What became of a visit: an answer, a refusal that says why, or nothing at all. */
export type Outcome =
  | { readonly kind: 'answered' }
  | { readonly kind: 'refused' | 'failed'; readonly cause: string };

/** How visits ended since a step began. */
export type StepCounts = { answered: number; readonly refused: Counts; readonly failed: Counts };

export type Books = ReturnType<typeof createBooks>;

type Waiting = { readonly visit: VisitKind; readonly fromMs: number; readonly answered: () => void };

const createStepCounts = (): StepCounts => ({ answered: 0, refused: createCounts(), failed: createCounts() });

export const createBooks = () => {
  /** Of all steps. */
  const total = createStepCounts();
  const waiting = new Set<Waiting>();
  let step = createStepCounts();
  const begun: { readonly name: string; readonly fromMs: number }[] = [];
  return {
    total,
    record: (visit: VisitKind, startMs: number, outcome: Outcome): void => {
      for (const counts of [total, step]) {
        if (outcome.kind === 'answered') counts.answered += 1;
        else counts[outcome.kind].add(outcome.cause);
      }
      if (outcome.kind !== 'answered') return;
      for (const one of waiting) if (one.visit === visit && one.fromMs <= startMs) one.answered();
    },
    /** From here on visits are counted in what is returned, until the next step begins. */
    beginStep: (name: string): StepCounts => {
      begun.push({ name, fromMs: Date.now() });
      step = createStepCounts();
      return step;
    },
    /** The step during which it was that late, in milliseconds since the Unix epoch. */
    stepAt: (atMs: number): string => begun.findLast(({ fromMs }) => fromMs <= atMs)?.name ?? 'no step',
    /** Resolves to the milliseconds until a visit that begins from now on is answered; null if none is in time. */
    nextAnswer: (visit: VisitKind, withinMs: number): Promise<number | null> => {
      const { promise, resolve } = Promise.withResolvers<number | null>();
      const fromMs = performance.now();
      const timer = setTimeout(() => resolve(null), withinMs);
      const one: Waiting = { visit, fromMs, answered: () => resolve(performance.now() - fromMs) };
      waiting.add(one);
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(one);
      });
    },
  };
};
