import type { BotToken } from '#server/platform/bot-token.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { PoolContext } from './pool-context.ts';
import { ADD, REMOVE, REMOVED_MS } from './pool-scripts.ts';

const ADD_AT_ONCE = 1_000;

/** Which tokens are in the pool: this node's in every epoch, nobody's once they were taken out. */
export const createPoolMembers = (context: PoolContext) => {
  const { clock, store, platform, known, picture, keys, poolKeys, confirm, inBackground } = context;
  let hasJoined = false;
  let returns = 0;
  let confirmedReturns = 0;
  let isConfirming = false;

  const isConfirmed = (): boolean => confirmedReturns === returns;

  const put = async (session: Session, ids: readonly string[]): Promise<void> => {
    for (let n = 0; n < ids.length; n += ADD_AT_ONCE) {
      const words = [platform.epoch.current(), ...ids.slice(n, n + ADD_AT_ONCE)];
      const [, ...late] = (await session.call(ADD, keys, words)) as readonly string[];
      if (late.length > 0) clock.after(REMOVED_MS, () => inBackground(() => putAgain(late)));
    }
    await picture.look(session);
    context.onChange();
  };

  const putAll = (session: Session): Promise<void> =>
    put(
      session,
      [...known.all()].map(({ id }) => id),
    );

  const putAgain = async (ids: readonly string[]): Promise<void> => {
    await confirm();
    await put(
      store.session(),
      ids.filter((id) => known.byId(id) !== undefined),
    );
  };

  /** What others have taken out, a store that was lost or out of reach may not have kept; the records have. */
  const confirmOurs = async (): Promise<void> => {
    if (isConfirming || isConfirmed()) return;
    const returned = returns;
    isConfirming = true;
    try {
      await confirm();
      await putAll(store.session());
      confirmedReturns = returned;
      context.onChange();
    } finally {
      isConfirming = false;
    }
  };

  const takeOut = async (id: string): Promise<void> => {
    await store.session().call(REMOVE, poolKeys, [id]);
    inBackground(context.look);
  };

  platform.epoch.onJoined(async (session) => {
    if (hasJoined) {
      returns += 1;
      inBackground(confirmOurs);
    } else {
      hasJoined = true;
      await putAll(session);
    }
  });
  store.everySecond(async () => inBackground(confirmOurs));

  return {
    /** Whether what this node knows may be used. */
    isConfirmed,
    add: (token: BotToken): void => {
      const before = known.ofBot(token.botId);
      const { id } = known.add(token);
      if (before !== undefined && before.id !== id) inBackground(() => takeOut(before.id));
      inBackground(async () => put(store.session(), [id]));
    },
    /** For nobody too, or the time it takes would tell. */
    remove: async (botId: string, token?: BotToken): Promise<void> => {
      const entry = known.ofBot(botId);
      const id = token === undefined ? entry?.id : known.idOf(token);
      if (entry !== undefined && entry.id === id) known.forget(botId);
      await takeOut(id ?? `nobody:${botId}`);
    },
  };
};
