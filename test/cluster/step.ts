import type { ReportLine } from '#test/assurance/report.ts';
import type { Dice } from '#test/fuzz/dice.ts';
import type { Visitors } from '#test/soak/visitor.ts';
import type { Balancer } from './balancer.ts';
import { sumOf, type Books, type StepCounts } from './books.ts';
import type { Cluster } from './cluster.ts';
import type { Load } from './load.ts';
import { replay } from './replay.ts';

/** Where the steps take place: a cluster under load. */
export type Scene = {
  readonly cluster: Cluster;
  readonly balancer: Balancer;
  readonly load: Load;
  readonly books: Books;
  readonly visitors: Visitors;
  readonly dice: Dice;
  readonly quick: boolean;
  /** How long the longest steps last, and how many proofs there must be in the end. */
  readonly seconds: number;
  readonly proofs: number;
};

/** What was seen, and whether anything about it is wrong. */
export type Seen = { readonly note: string; readonly broken?: number };

/** One fault, while visitors come and go. */
export type Step = {
  readonly name: string;
  readonly run: (scene: Scene, counts: StepCounts) => Promise<Seen>;
};

const RECENT = 500;

const describeCounts = ({ answered, refused, failed }: StepCounts): string =>
  [
    `${answered.toLocaleString('en')} answered`,
    refused.size > 0 ? `refused: ${refused.describe()}` : 'none refused',
    failed.size > 0 ? `failed: ${failed.describe()}` : 'none failed',
  ].join('; ');

/** Runs one step, then sends once more what was accepted shortly before it and in it. */
export const runStep = async (scene: Scene, { name, run }: Step): Promise<ReportLine> => {
  const before = scene.load.accepted.length;
  const counts = scene.books.beginStep();
  let seen: Seen;
  try {
    seen = await run(scene, counts);
  } catch (error) {
    seen = { note: String(error), broken: 1 };
  }
  const { accepted } = scene.load;
  const recent = [...accepted.slice(Math.max(0, before - RECENT), before), ...accepted.slice(-RECENT)];
  const again = await replay(scene.visitors, recent);
  return {
    name,
    count: counts.answered + sumOf(counts.refused) + sumOf(counts.failed),
    broken: (seen.broken ?? 0) + again.accepted + (counts.failed.get('500 internal') ?? 0),
    note: [
      seen.note,
      describeCounts(counts),
      ...(again.accepted > 0 ? [`${again.accepted} proofs ACCEPTED AGAIN`] : []),
    ]
      .filter((part) => part !== '')
      .join('; '),
  };
};
