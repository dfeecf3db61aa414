import { POLL_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { Permit } from '#server/platform/platform.ts';
import type { CancelTimer } from '#server/system.ts';
import { changeSuspicion, changeToken, releaseAndThrow, type PoolParts } from './leases.ts';
import { addVerdict, beginCheck, checkAt, holdAfter, type Hold, type SuspectVerdict } from './suspicion.ts';
import { draftOf, tokenFreeAt } from './token-rules.ts';
import type { TokenRow } from './token-store.ts';

type Suspect = { readonly id: string; readonly token: BotToken };

const LOOK_AGAIN_MS = 60_000;

/** Tokens that were refused: the platform is asked about one after the other. */
export const createSuspects = (parts: PoolParts, onRetired: (token: BotToken) => void) => {
  const { clock, platform, store, memberOf, ownIds, lentWaitMs, onFailure } = parts;
  let isChecking = false;
  let cancelTimer: CancelTimer = () => {};

  const waitMs = (): number => {
    const nowMs = store.nowMs();
    const suspectMs = Math.max(store.size().checkMs, checkAt(store.suspicion(), nowMs)) - nowMs;
    return Math.max(suspectMs, platform.waitMs('getOwnUser'));
  };

  const find = async (): Promise<Suspect | null> => {
    for (const { id, freeAtMs } of await store.read({ suspectsAfter: ownIds() })) {
      const member = memberOf(id);
      if (member === undefined || freeAtMs > store.nowMs()) continue;
      if (member.isOwn || lentWaitMs() <= 0) return member;
    }
    return null;
  };

  const judge = async ({ id, token }: Suspect, verdict: SuspectVerdict): Promise<void> => {
    const after = await changeToken(store, { id }, (row, nowMs) => {
      if (!row.isSuspect) return null;
      const hold = holdAfter(row.record?.heldMs ?? null, verdict, nowMs);
      return { next: hold && afterVerdict(row, hold, nowMs) };
    });
    if (after?.next === null) onRetired(token);
    await changeSuspicion(store, (suspicion, nowMs) => addVerdict(suspicion, verdict, nowMs));
  };

  /** False if there is nobody to ask about, or no permit to do so. */
  const checkNext = async (): Promise<boolean> => {
    const suspect = await find();
    const permit = suspect && (await platform.attempt('getOwnUser'));
    if (suspect === null || permit === null) return false;
    // Of all servers only one asks at a time.
    const begun = await changeSuspicion(store, (suspicion, nowMs) =>
      checkAt(suspicion, nowMs) > nowMs ? null : beginCheck(suspicion, nowMs),
    ).catch(releaseAndThrow(permit));
    if (begun === null) {
      permit.release();
      return false;
    }
    await judge(suspect, verdictOf(await permit.send(suspect.token), suspect.token));
    return true;
  };

  const checkAll = async (): Promise<void> => {
    while (waitMs() <= 0 && (await checkNext()));
  };

  const plan = (): void => {
    isChecking = false;
    if (store.size().suspects === 0) return;
    // Never at once: a store that is out of reach would be asked again and again.
    cancelTimer = clock.after(Math.min(Math.max(POLL_MS, waitMs()), LOOK_AGAIN_MS), wake);
  };

  const wake = (): void => {
    if (isChecking) return;
    isChecking = true;
    cancelTimer();
    checkAll().catch(onFailure).finally(plan);
  };

  return { wake, waitMs };
};

const afterVerdict = (row: TokenRow, { heldMs, checkMs }: Hold, nowMs: number): TokenRow => {
  if (heldMs !== null)
    return { ...row, record: { ...draftOf(row.record, nowMs), heldMs }, freeAtMs: checkMs };
  const record = row.record && { ...row.record, heldMs };
  const freeAtMs = tokenFreeAt(record, nowMs);
  return { ...row, record, freeAtMs: freeAtMs === Infinity ? nowMs : freeAtMs, isSuspect: false };
};

/** Only a plain refusal speaks against a token; any other surprise may be a mix-up of the platform. */
const verdictOf = (
  answer: Awaited<ReturnType<Permit<'getOwnUser'>['send']>>,
  { botId }: BotToken,
): SuspectVerdict => {
  if (answer.kind === 'unauthorized') return 'dead';
  return answer.kind === 'found' && answer.value.id === botId ? 'alive' : 'unclear';
};
