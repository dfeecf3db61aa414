import { defineRawScript } from '#server/storage/redis/script.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Random, System } from '#server/system.ts';

/** What visitors' addresses are digested with. Another one each day: nothing counted leads back to them later. */
export type DailySecret = () => string;

const DAY_MS = 86_400_000;
/** A node may be late by the difference of two clocks; after that nobody can tell any more whom a digest stands for. */
const KEPT_LONGER_MS = 60_000;

const draw = (random: Random): string => random.bytes(32).toString('hex');

export const createDailySecret = ({ clock, random }: System): DailySecret => {
  let secret = '';
  let renewAtMs = -Infinity;
  return () => {
    if (clock.monotonicMs() >= renewAtMs) {
      secret = draw(random);
      renewAtMs = clock.monotonicMs() + DAY_MS;
    }
    return secret;
  };
};

const AGREE = defineRawScript(`
for i = 1, #KEYS do redis.call('SET', KEYS[i], ARGV[2 * i - 1], 'NX', 'PXAT', ARGV[2 * i]) end
return redis.call('MGET', unpack(KEYS))`);

/** The same for all nodes, by days of UTC. Asked for a day ahead, so that nobody waits for it at midnight. */
export const createSharedDailySecret = ({ random }: System, store: SharedStore): DailySecret => {
  let secrets: ReadonlyMap<number, string> = new Map();
  const today = (): number => Math.floor(store.storeNowMs() / DAY_MS);

  const agree = async ({ call }: Session): Promise<void> => {
    const days = [today(), today() + 1];
    const keys = days.map((day) => store.key(`day:${new Date(day * DAY_MS).toISOString().slice(0, 10)}`));
    const offers = days.flatMap((day) => [draw(random), (day + 1) * DAY_MS + KEPT_LONGER_MS]);
    const agreed = await call(AGREE, keys, offers);
    secrets = new Map((agreed as string[]).map((secret, index) => [days[index] ?? 0, secret]));
  };
  store.onSession(agree);
  store.everySecond(agree);

  return () => {
    // Not those of a session that is over: the next one may know others.
    store.session();
    const secret = secrets.get(today());
    if (secret === undefined) throw new Error('There is no secret for today.');
    return secret;
  };
};
