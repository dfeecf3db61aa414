import { createCounts, type Counts } from '#test/soak/figures.ts';

export type VisitKind = 'popular' | 'new';

/** What became of a visit: an answer, a refusal that says why, or nothing at all. */
export type Outcome =
  | { readonly kind: 'answered' }
  | { readonly kind: 'refused' | 'failed'; readonly cause: string };

/** How visits ended since a step began. */
export type StepCounts = { answered: number; readonly refused: Counts; readonly failed: Counts };

export type Books = {
  readonly record: (visit: VisitKind, startMs: number, outcome: Outcome) => void;
  /** From here on visits are counted in what is returned, until the next step begins. */
  readonly beginStep: () => StepCounts;
  /** Of all steps. */
  readonly total: StepCounts;
  /** Resolves to the milliseconds until a visit that begins from now on is answered; null if none is in time. */
  readonly nextAnswer: (visit: VisitKind, withinMs: number) => Promise<number | null>;
};

type Waiting = { readonly visit: VisitKind; readonly fromMs: number; readonly done: (ms: number) => void };

const createStepCounts = (): StepCounts => ({
  answered: 0,
  refused: createCounts(),
  failed: createCounts(),
});

export const sumOf = (counts: Counts): number => counts.values().reduce((sum, times) => sum + times, 0);

const count = (counts: StepCounts, outcome: Outcome): void => {
  if (outcome.kind === 'answered') counts.answered += 1;
  else counts[outcome.kind].add(outcome.cause);
};

export const createBooks = (): Books => {
  const total = createStepCounts();
  const waiting = new Set<Waiting>();
  let step = createStepCounts();
  return {
    total,
    record: (visit, startMs, outcome) => {
      count(total, outcome);
      count(step, outcome);
      if (outcome.kind !== 'answered') return;
      for (const one of waiting) {
        if (one.visit !== visit || one.fromMs > startMs) continue;
        waiting.delete(one);
        one.done(performance.now() - one.fromMs);
      }
    },
    beginStep: () => {
      step = createStepCounts();
      return step;
    },
    nextAnswer: (visit, withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(one);
          resolve(null);
        }, withinMs);
        const one: Waiting = {
          visit,
          fromMs: performance.now(),
          done: (ms) => {
            clearTimeout(timer);
            resolve(ms);
          },
        };
        waiting.add(one);
      }),
  };
};
