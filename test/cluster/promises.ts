import type { ReportLine } from '#test/assurance/report.ts';
import { readStoredTokens } from '#test/fuzz/stored-tokens.ts';
import type { Donors } from '#test/soak/donors.ts';
import { parseBotToken } from '#server/platform/bot-token.ts';
import { sumOf } from './books.ts';
import type { Cluster } from './cluster.ts';
import { RUN } from './scenario.ts';
import { replay } from './replay.ts';
import type { Scene } from './step.ts';

/** A request that had left when the withdrawal was answered is still under way for so long, on a busy machine. */
const UNDER_WAY_MS = 500;

const proofsLine = async ({ load, visitors }: Scene): Promise<ReportLine> => {
  const again = await replay(visitors, load.accepted);
  return {
    name: 'proofs accepted twice',
    count: again.tried,
    broken: again.accepted + load.races.acceptedTwice + again.undecided,
    note: `each sent again at the end; ${load.races.tried.toLocaleString('en')} of them to three nodes at once${again.undecided > 0 ? `; ${again.undecided} UNDECIDED` : ''}`,
  };
};

const donationsLine = async (cluster: Cluster, donors: Donors): Promise<ReportLine> => {
  const stored = await readStoredTokens(cluster.env['DATA_DIR'] ?? '', cluster.env);
  return {
    name: 'donations and withdrawals acknowledged and lost',
    count: donors.acknowledged(),
    broken: donors.broken(stored),
    note: `${stored.kept.size} kept, ${donors.withdrawn().size} withdrawn`,
  };
};

const botIdOf = (token: string): string => {
  const parsed = parseBotToken(token);
  return parsed.ok ? parsed.token.botId : '';
};

const platformLines = async (cluster: Cluster, donors: Donors): Promise<ReportLine[]> => {
  const { lastMsByBot, busiestSecond, rateLimited, requests } = await cluster.sandbox.stats();
  const latenesses = [...donors.withdrawn()].map(
    ([token, answeredMs]) => (lastMsByBot[botIdOf(token)] ?? 0) - answeredMs,
  );
  const latest = Math.max(...latenesses);
  return [
    {
      name: 'withdrawn tokens used after the answer',
      count: latenesses.length,
      broken: latenesses.filter((ms) => ms > UNDER_WAY_MS).length,
      note: latest > 0 ? `the last request arrived ${latest} ms after it` : 'none arrived after it',
    },
    { name: '429s of the platform', count: requests, broken: rateLimited },
    {
      name: `busiest second at the platform, ${RUN.egressPerSecond} at most`,
      count: busiestSecond,
      broken: Math.max(0, busiestSecond - RUN.egressPerSecond),
    },
  ];
};

const crashesLine = ({ nodes }: Cluster): ReportLine => {
  const crashes = nodes.flatMap((node) => node.crashes);
  return {
    name: 'nodes that ended by themselves',
    count: nodes.length,
    broken: crashes.length,
    note: crashes[0] ?? '',
  };
};

/** What must hold in the end, whatever happened meanwhile. */
export const promiseLines = async (scene: Scene, donors: Donors): Promise<ReportLine[]> => {
  const { total } = scene.books;
  return [
    await proofsLine(scene),
    await donationsLine(scene.cluster, donors),
    ...(await platformLines(scene.cluster, donors)),
    crashesLine(scene.cluster),
    {
      name: 'lookups answered',
      count: total.answered,
      broken: 0,
      note: `refused ${sumOf(total.refused)} (${total.refused.describe()}); failed ${sumOf(total.failed)} (${total.failed.describe()})`,
    },
  ];
};
