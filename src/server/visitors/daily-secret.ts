import { defineScript } from '#server/storage/redis/script.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Random, System } from '#server/system.ts';

/** What visitors' addresses are digested with. Another one each day: nothing counted leads back to them later. */
export type DailySecret = () => string;

const DAY_MS = 86_400_000;
/** A node may be late by the difference of two clocks; after that no digest can be traced back to an address. */
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

const AGREE = defineScript({
  keys: ['day'],
  args: ['offered', 'forgetAtMs'],
  lua: `
redis.call('SET', day, offered, 'NX', 'PXAT', forgetAtMs)
return redis.call('GET', day)`,
  reply: (secret) => secret as string,
});

/** The same for all nodes, by days of UTC. Asked for a day ahead, so that nobody waits for it at midnight. */
export const createSharedDailySecret = ({ random }: System, store: SharedStore): DailySecret => {
  let secrets: ReadonlyMap<number, string> = new Map();
  const today = (): number => Math.floor(store.storeNowMs() / DAY_MS);

  const agreeOn = async ({ run }: Session, day: number): Promise<[number, string]> => {
    const name = `day:${new Date(day * DAY_MS).toISOString().slice(0, 10)}`;
    const args = { offered: draw(random), forgetAtMs: (day + 1) * DAY_MS + KEPT_LONGER_MS };
    return [day, await run(AGREE, { keys: { day: store.key(name) }, args })];
  };
  const agree = async (session: Session): Promise<void> => {
    const days = [today(), today() + 1];
    secrets = new Map(await Promise.all(days.map((day) => agreeOn(session, day))));
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
