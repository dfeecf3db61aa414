import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '#test/attacks/dice.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { verdictOf, type Answer, type Unanswered, type Visitors } from '../load/visitors.ts';
import type { Books, Outcome, VisitKind } from './books.ts';
import { fateOf, isAnswered } from './replay.ts';

export type Load = ReturnType<typeof startLoad>;

type LoadOptions = {
  readonly visitors: Visitors;
  readonly books: Books;
  readonly dice: Dice;
  readonly lanes: Readonly<Record<VisitKind, number>>;
  /** Whether we have killed or frozen the server there since then. */
  readonly wasHarmed: (origin: string, sinceMs: number) => boolean;
};

const POPULAR_IDS = distinctIds(200);
/** How many of the proofs are sent several times at once, and how often. */
const RACE_SHARE = 0.1;
const RACERS = 3;
const AFTER_REFUSAL_MS = 25;
/** Of visits that failed with the server they were at. */
export const AT_HARMED = '(at a harmed server)';

const outcomeOf = (answer: Answer): Outcome => {
  if (isAnswered(answer)) return { kind: 'answered' };
  return { kind: answer.status === 500 ? 'failed' : 'refused', cause: verdictOf(answer) };
};

/** Visitors who come, solve, look somebody up and go, as many at once as there are lanes. */
export const startLoad = ({ visitors, books, dice, lanes, wasHarmed }: LoadOptions) => {
  /** Every proof that a lookup was answered for so far, in that order. */
  const accepted: string[] = [];
  /** How many proofs were sent to several nodes at once, and how many of those were accepted more than once. */
  const races = { tried: 0, acceptedTwice: 0 };
  const over = new AbortController();
  let next = POPULAR_IDS.length;

  const lookUp = async (discord_id: string, proof: string): Promise<Outcome> => {
    const times = dice.chance(RACE_SHARE) ? RACERS : 1;
    const sent = Array.from({ length: times }, () => visitors.next().send('/lookup', { discord_id, proof }));
    const answers = (await Promise.allSettled(sent)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    const winners = answers.filter((answer) => fateOf(answer) === 'accepted');
    if (times > 1) races.tried += 1;
    if (winners.length > 1) races.acceptedTwice += 1;
    if (winners.length > 0) accepted.push(proof);
    // With no answer at all this throws what happened to the first.
    return outcomeOf(winners[0] ?? answers[0] ?? (await (sent[0] as Promise<Answer>)));
  };

  const visit = async (kind: VisitKind): Promise<Outcome> => {
    const id = kind === 'popular' ? dice.pick(POPULAR_IDS) : (distinctIds(1, (next += 1))[0] ?? '');
    try {
      const proof = await visitors.next().solve();
      if (typeof proof === 'string') return await lookUp(id, proof);
      return { kind: 'refused', cause: `challenge ${verdictOf(proof)}` };
    } catch (error) {
      const { origin, sentMs, cause } = error as Unanswered;
      return { kind: 'failed', cause: wasHarmed(origin, sentMs) ? `${cause} ${AT_HARMED}` : cause };
    }
  };

  const runLane = async (kind: VisitKind): Promise<void> => {
    while (!over.signal.aborted) {
      const startMs = performance.now();
      const outcome = await visit(kind);
      books.record(kind, startMs, outcome);
      if (outcome.kind !== 'answered') await delay(AFTER_REFUSAL_MS);
    }
  };

  const running = Promise.all(
    (Object.keys(lanes) as VisitKind[]).flatMap((kind) =>
      Array.from({ length: lanes[kind] }, () => runLane(kind)),
    ),
  );
  return {
    accepted,
    races,
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await running;
    },
  };
};
