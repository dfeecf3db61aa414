import type { Session } from '#server/storage/redis/session.ts';
import type { Handshake, SharedStore } from '#server/storage/redis/shared-store.ts';

/** A store that is connected and lost when a test says so; a rejected handshake loses it too. */
export const createFakeSessions = () => {
  const handshakes: Handshake[] = [];
  const upkeep: ((session: Session) => Promise<void>)[] = [];
  let session: Session | null = null;
  let problem: string | null = 'not connected';

  const attempt = async (work: (current: Session) => Promise<unknown>): Promise<void> => {
    if (session === null) return;
    try {
      await work(session);
      problem = null;
    } catch (error) {
      problem = (error as Error).message;
    }
  };
  const store: Pick<SharedStore, 'onSession' | 'everySecond' | 'problem'> = {
    onSession: (handshake) => void handshakes.push(handshake),
    everySecond: (keepUp) => void upkeep.push(keepUp),
    problem: () => problem,
  };
  return {
    store,
    /** With the process of that name. */
    connect: (runId: string): Promise<void> => {
      session = { runId } as Session;
      return attempt((current) => Promise.all(handshakes.map((one) => one(current, { clockLeapt: false }))));
    },
    /** A second later. */
    beat: () => attempt((current) => Promise.all(upkeep.map((keepUp) => keepUp(current)))),
    lose: (): void => {
      [session, problem] = [null, 'lost'];
    },
  };
};
