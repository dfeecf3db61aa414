import type { Dice } from '#test/attacks/dice.ts';
import { sum } from '../load/figures.ts';
import type { Visitors } from '../load/visitors.ts';
import type { Part } from '../suite.ts';
import type { Books, StepCounts } from './books.ts';
import type { Cluster } from './cluster.ts';
import { AT_HARMED, type Load } from './load.ts';
import { replay } from './replay.ts';

/** How long the platform's limits last: short, and with it the rest that tokens take. */
export const PERIOD_MS = 5_000;

/** Where the steps take place: a cluster under load. */
export type Scene = {
  readonly cluster: Cluster;
  readonly load: Load;
  readonly books: Books;
  readonly visitors: Visitors;
  readonly dice: Dice;
  /** How long the longest steps last, and how many proofs there must be in the end. */
  readonly seconds: number;
  readonly proofs: number;
  /** While nobody donates, nothing that is acknowledged can be lost. */
  readonly pauseDonors: (isPaused: boolean) => void;
  /** So many 429s are the price of what a step did. */
  readonly excuse: (rateLimited: number) => void;
  readonly excused: () => number;
};

export type Seen = { readonly note: string; readonly broken?: number };

export type Step = {
  readonly name: string;
  readonly run: (scene: Scene, counts: StepCounts) => Promise<Seen>;
};

const RECENT = 500;
const describeCounts = ({ answered, refused, failed }: StepCounts): string[] => [
  `${answered.toLocaleString('en')} answered`,
  refused.size > 0 ? `refused: ${refused.describe()}` : 'none refused',
  failed.size > 0 ? `failed: ${failed.describe()}` : 'none failed',
];

/** Runs the step, then replays what was accepted shortly before it and in it. */
export const toPart = ({ name, run }: Step): Part<Scene> => ({
  name,
  run: async (scene) => {
    const { accepted } = scene.load;
    const rateLimited = async () => (await scene.cluster.sandbox.stats()).rateLimited - scene.excused();
    const [before, limitedBefore] = [accepted.length, await rateLimited()];
    const counts = scene.books.beginStep(name);
    const seen = await run(scene, counts);
    const recent = [...accepted.slice(Math.max(0, before - RECENT), before), ...accepted.slice(-RECENT)];
    const again = await replay(scene.visitors, recent);
    const limited = (await rateLimited()) - limitedBefore;
    // A killed server's visitors are cut off, a frozen one's wait in vain: a balancer moves on, they cannot.
    const unanswered = sum(
      [...counts.failed].map(([cause, times]) => (cause.endsWith(AT_HARMED) ? 0 : times)),
    );
    return {
      count: counts.answered + counts.refused.total() + counts.failed.total(),
      broken: (seen.broken ?? 0) + again.accepted + limited + unanswered,
      note: [
        seen.note,
        ...describeCounts(counts),
        ...(again.accepted > 0 ? [`${again.accepted} proofs ACCEPTED AGAIN`] : []),
        ...(limited > 0 ? [`${limited} × 429`] : []),
      ].join('; '),
    };
  },
});
