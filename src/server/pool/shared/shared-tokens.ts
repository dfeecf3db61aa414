import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { PassFor } from '#server/platform/platform.ts';
import type { Admission } from '#server/platform/shared/shared-platform.ts';
import type { CancelTimer } from '#server/system.ts';
import type { OpenTokenSource } from '../token-source.ts';
import { createPoolContext, type SharedToken, type SharedTokensDeps } from './pool-context.ts';
import { createPoolMembers } from './pool-members.ts';
import { TAKE } from './pool-scripts.ts';
import { createPoolSuspects } from './pool-suspects.ts';
import { createTokenLedger } from './token-ledger.ts';

/** Somebody waits: another node may free or add a token without telling us. */
const POLL_MS = 50;
/** Tokens that this node does not know, or that somebody else was quicker to take. */
const TRIES = 8;

/** The tokens of all nodes: who may use which is decided in the store, and what is known of them is there too. */
export const sharedTokens =
  (deps: SharedTokensDeps): OpenTokenSource<SharedToken> =>
  (events) => {
    const context = createPoolContext(deps, events);
    const { clock, store, platform, known, picture, keys, poolKeys, onChange, inBackground } = context;
    const members = createPoolMembers(context);
    const suspects = createPoolSuspects(context);
    const ledger = createTokenLedger(keys, platform.epoch.learned);
    let freeAtMs = -Infinity;
    let cancelPoll: CancelTimer | null = null;

    const refused = (atMs: number): null => {
      freeAtMs = atMs;
      cancelPoll ??= clock.after(POLL_MS, () => {
        cancelPoll = null;
        onChange();
      });
      return null;
    };

    const accept = async (admission: Admission<'getUser'>): Promise<SharedToken | null> => {
      const id = String(admission.words[0]);
      const entry = known.byId(id);
      if (entry === undefined) {
        known.meet(id);
        await ledger.giveBack(admission, admission.grantedMs);
        return null;
      }
      const flight = await ledger.spend(admission);
      return flight && { token: entry.token, flight };
    };

    const takeOnce = async (): Promise<PassFor<'getUser', SharedToken> | null | 'again'> => {
      const knock = { script: TAKE, keys: poolKeys, args: known.strange() };
      // What was said last of the tokens holds only if they are what it is refused for.
      freeAtMs = -Infinity;
      const answer = await platform.knock('getUser', knock);
      if ('refused' in answer) return answer.refused.why === 'token' ? refused(answer.refused.atMs) : null;
      const { pass } = answer.granted;
      const chosen = await accept(answer.granted).catch((error: unknown) => {
        pass.release();
        throw error;
      });
      if (chosen !== null) return { pass, chosen };
      pass.release();
      return 'again';
    };

    const report = async ({ flight }: SharedToken, answer: PlatformAnswer<unknown> | null): Promise<void> => {
      const receivedMs = store.storeNowMs();
      const session = store.session();
      if (!(await ledger.report(session, flight, { answer, receivedMs }))) return;
      events.onSuspected(answer?.kind === 'foreign' ? 'foreign' : 'unauthorized');
      await suspects.doubt(session, flight, receivedMs);
    };

    store.everySecond(async (session) => {
      await platform.look(session);
      await picture.look(session);
      onChange();
    });

    return {
      add: members.add,
      remove: members.remove,
      take: async () => {
        if (known.isEmpty()) return null;
        if (!members.isConfirmed()) return refused(clock.monotonicMs() + POLL_MS);
        for (let tries = 0; tries < TRIES; tries += 1) {
          const taken = await takeOnce();
          if (taken !== 'again') return taken;
        }
        return null;
      },
      settle: (taken, answer) => {
        const entry = known.byId(taken.flight.id);
        if (answer !== null && entry !== undefined) entry.requests += 1;
        inBackground(() => report(taken, answer).finally(onChange));
      },
      takeSuspect: async () => (members.isConfirmed() ? suspects.take() : null),
      settleSuspect: suspects.settle,
      freeAtMs: () => Math.min(freeAtMs, picture.suspectAtMs()),
      suspectAtMs: picture.suspectAtMs,
      // What only others can use is of no use here.
      size: () => (known.isEmpty() ? 0 : picture.size()),
      isAllSuspect: () => picture.counts().suspect >= picture.size(),
      counts: picture.counts,
      uses: () => new Map([...known.all()].map(({ token, requests }) => [token.botId, requests])),
    };
  };
