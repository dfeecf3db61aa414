import type { Ledger } from './ledger.ts';
import type { Mood, SimulatedPlatform } from './platform.ts';
import { FINE, type Postgres } from './postgres.ts';
import type { Host, Nature } from './schedule.ts';

type TroubleDeps = Nature & {
  readonly hosts: () => readonly Host[];
  readonly postgres: Postgres;
  readonly platform: SimulatedPlatform;
  readonly ledger: Ledger;
};

const LEAPS_MS = [-86_400_000, -400_000, -3_000, -1_500, -300, 300, 1_500, 3_000, 400_000, 86_400_000];
const MOODS: readonly Mood[] = ['unauthorized', 'busy', 'shared', 'failing', 'silent', 'banning'];

/** What lasts is over by itself, and for good at `calm`. */
export const createTroubles = ({ schedule, dice, tell, hosts, postgres, platform, ledger }: TroubleDeps) => {
  let promotedMs = 0;
  const share = (most: number): number => (dice.chance(0.4) ? dice.below(1_000 * most) / 1_000 : 0);
  const aHost = (): Host | undefined => (hosts().length === 0 ? undefined : dice.pick(hosts()));
  const promote = (lagMs: number, downMs: number): void => {
    if (schedule.nowMs() < promotedMs) return;
    promotedMs = schedule.nowMs() + lagMs + downMs;
    if (lagMs > 0) ledger.forgot(schedule.nowMs(), promotedMs);
    postgres.promote(lagMs, downMs);
  };
  /** With the longest time that each takes. */
  const begin = {
    kill: [1, () => aHost()?.kill()],
    freeze: [8_000, (ms) => aHost()?.freeze(ms)],
    crash: [3_000, postgres.crash],
    restart: [3_000, postgres.restart],
    'failover without loss': [2_000, (ms) => promote(0, ms)],
    'failover with loss': [1_000, (ms) => promote(ms, 2 * ms)],
    stall: [5_000, postgres.stall],
    'leap of the clock': [
      4_000,
      (ms) => {
        postgres.setClockAhead(dice.pick(LEAPS_MS));
        schedule.in(ms, () => postgres.setClockAhead(0));
      },
    ],
    'wrong clock': [1, () => aHost()?.setWallAhead(dice.pick(LEAPS_MS))],
    weather: [
      5_000,
      (ms) => {
        const [lost, late, deadly, refused] = [share(0.3), share(0.2), share(0.03), share(0.3)];
        postgres.setWeather({ lost, late, deadly, refused, slowMs: dice.pick([2, 20, 300]) });
        schedule.in(ms, () => postgres.setWeather(FINE));
      },
    ],
    mood: [
      4_000,
      (ms) => {
        const mood = dice.pick(MOODS);
        platform.become(mood, dice.pick([0.2, 1]));
        schedule.in(mood === 'banning' ? 50 : ms, () => platform.become('calm', 0));
      },
    ],
  } satisfies Record<string, readonly [mostMs: number, begin: (ms: number) => void]>;
  const kinds = Object.entries(begin);
  const chosen = kinds.filter(() => dice.chance(0.35));

  return {
    /** Of the kinds that this seed has chosen: few at once go deeper than all. */
    strike: (): void => {
      const [kind, [mostMs, start]] = dice.pick(chosen.length > 0 ? chosen : kinds);
      const ms = 1 + dice.below(mostMs);
      tell('TROUBLE', `${kind}, ${ms} ms`);
      start(ms);
      // All but these three are PostgreSQL's.
      if (!['kill', 'wrong clock', 'mood'].includes(kind)) for (const host of hosts()) host.harm();
    },
    calm: (): void => {
      postgres.setWeather(FINE);
      postgres.setClockAhead(0);
      platform.become('calm', 0);
      for (const host of hosts()) host.setWallAhead(0);
    },
  };
};
