import type { Session } from '#server/storage/redis/session.ts';
import type { RawScript as Script } from '#server/storage/redis/script.ts';
import {
  addDoubt,
  addVerdict,
  createSuspicion,
  endSuspicion,
  type SuspectVerdict,
  type Suspicion,
} from '../suspicion.ts';
import { DOUBT, JUDGE } from './pool-scripts.ts';

/** As it is written: what else the script has to do is up to it. */
type Change = { readonly words: readonly (string | number)[] };

export type Judgement = {
  readonly id: string;
  readonly verdict: SuspectVerdict;
  readonly freeAtMs: number;
};

const encode = (suspicion: Suspicion): string => JSON.stringify(suspicion);

const decode = (text: string): Suspicion => {
  const suspicion = createSuspicion();
  if (text === '') return suspicion;
  const read = JSON.parse(text) as Suspicion & { readonly nextMs: number | null };
  return { ...read, nextMs: read.nextMs ?? -Infinity };
};

const time = (ms: number): string => (ms === -Infinity ? '0' : ms.toFixed(3));

/** Which tokens are doubted, and when the next may be asked about, for all nodes: the same rules, on one record. */
export const createSharedSuspicion = (keys: readonly string[]) => {
  /** Until nobody has written meanwhile. Null if the epoch is over. */
  const write = async (
    session: Session,
    epoch: string,
    { script, change }: { script: Script; change: (suspicion: Suspicion) => Change },
  ): Promise<string | null> => {
    let old = '';
    for (;;) {
      const { words } = change(decode(old));
      const reply = await session.call(script, keys, [epoch, old, ...words]);
      const [word, second = ''] = reply as readonly string[];
      if (word === 'put') return second;
      if (word !== 'lost') return null;
      old = second;
    }
  };

  return {
    /** A token in good standing was refused. */
    doubt: (session: Session, epoch: string, nowMs: number) =>
      write(session, epoch, {
        script: DOUBT,
        change: (suspicion) => {
          const isMass = addDoubt(suspicion, nowMs);
          return { words: [encode(suspicion), time(suspicion.nextMs), isMass ? 1 : 0] };
        },
      }),
    /** True if the suspect was still there. */
    judge: async (
      session: Session,
      { epoch, nowMs }: { epoch: string; nowMs: number },
      judgement: Judgement,
    ) => {
      const { id, verdict, freeAtMs } = judgement;
      const outcome = await write(session, epoch, {
        script: JUDGE,
        change: (suspicion) => {
          addVerdict(suspicion, verdict, nowMs);
          const over = { ...suspicion };
          endSuspicion(over);
          return {
            words: [encode(suspicion), encode(over), time(suspicion.nextMs), id, verdict, time(freeAtMs)],
          };
        },
      });
      return outcome === 'judged';
    },
  };
};
