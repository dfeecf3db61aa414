import { parseBotToken } from '#server/platform/bot-token.ts';
import { readStoredTokens } from '#test/attacks/stored-tokens.ts';
import type { Donors } from '../load/donors.ts';
import type { ReportLine } from '../suite.ts';
import { FAILOVER_WITH_LAG } from './engine-faults.ts';
import { replay } from './replay.ts';
import type { Scene } from './step.ts';

/** For how long, on a busy machine, a request that left before the withdrawal was answered may be in flight. */
const IN_FLIGHT_MS = 500;
/** A standby that lagged may have missed a withdrawal, until the server that answered it tells it again. */
const FORGOTTEN_MS = 5_000;

const proofsLine = async ({ load, visitors }: Scene): Promise<ReportLine> => {
  const again = await replay(visitors, load.accepted);
  const undecided = again.unknown > 0 ? `; ${again.unknown} UNDECIDED` : '';
  return {
    name: 'proofs accepted twice',
    count: load.accepted.length,
    broken: again.accepted + load.races.acceptedTwice + again.unknown,
    note: `each sent again at the end; ${load.races.tried.toLocaleString('en')} of them to three nodes at once${undecided}`,
  };
};

const donationsLine = async ({ cluster }: Scene, donors: Donors): Promise<ReportLine> => {
  const stored = await readStoredTokens(cluster.env['DATA_DIR'] ?? '', cluster.env);
  return {
    name: 'donations and withdrawals acknowledged and lost, or refused and kept',
    count: donors.acknowledged(),
    broken: donors.broken(stored),
    note: `${stored.kept.size} kept, ${donors.withdrawn.size} withdrawn`,
  };
};

const botIdOf = (token: string): string => {
  const parsed = parseBotToken(token);
  return parsed.ok ? parsed.token.botId : '';
};

const platformLines = async (
  { cluster, excused, books }: Scene,
  donors: Donors,
  most: number,
): Promise<ReportLine[]> => {
  const { lastMsByBot, busiestSecond, rateLimited, requests } = await cluster.sandbox.stats();
  const uses = [...donors.withdrawn].map(([token, answeredMs]) => {
    const atMs = lastMsByBot[botIdOf(token)] ?? 0;
    const mayBeLateMs = books.stepAt(atMs) === FAILOVER_WITH_LAG.name ? FORGOTTEN_MS : IN_FLIGHT_MS;
    const lateMs = atMs - answeredMs;
    return { atMs, lateMs, isBroken: lateMs > mayBeLateMs };
  });
  const [latest] = uses.toSorted((one, other) => other.lateMs - one.lateMs);
  return [
    {
      name: 'withdrawn tokens used after the answer',
      count: uses.length,
      broken: uses.filter(({ isBroken }) => isBroken).length,
      note:
        latest !== undefined && latest.lateMs > 0
          ? `the last request arrived ${latest.lateMs} ms after it, while ${books.stepAt(latest.atMs)}`
          : 'none arrived after it',
    },
    { name: '429s of the platform', count: requests, broken: rateLimited - excused() },
    {
      name: `busiest second at the platform, ${most} at most`,
      count: busiestSecond,
      broken: Math.max(0, busiestSecond - most),
    },
  ];
};

/** What must hold in the end, whatever happened meanwhile. */
export const promiseLines = async (
  scene: Scene,
  donors: Donors,
  egressPerSecond: number,
): Promise<ReportLine[]> => {
  const { nodes } = scene.cluster;
  const crashes = nodes.flatMap((node) => node.crashes);
  const { answered, refused, failed } = scene.books.total;
  return [
    await proofsLine(scene),
    await donationsLine(scene, donors),
    ...(await platformLines(scene, donors, egressPerSecond)),
    {
      name: 'nodes that ended by themselves',
      count: nodes.length,
      broken: crashes.length,
      note: crashes[0] ?? '',
    },
    {
      name: 'lookups answered',
      count: answered,
      broken: 0,
      note: `refused ${refused.total()} (${refused.describe()}); failed ${failed.total()} (${failed.describe()})`,
    },
  ];
};
