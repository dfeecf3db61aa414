import { POLL_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { TokenSteps } from '#server/platform/gate.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import {
  addDoubt,
  addVerdict,
  beginCheck,
  checkAt,
  endCheck,
  holdAfter,
  type SuspectVerdict,
} from '#server/rules/suspicion.ts';
import {
  draftOf,
  recordAnswer,
  recordSend,
  suspectedBecause,
  tokenFreeAt,
  type SuspectedBecause,
} from '#server/rules/token-rules.ts';
import type { TokenRow, TokenStore, TokenWrite, View } from '#server/state/token-store.ts';
import type { CancelTimer, Clock } from '#server/system.ts';

type TokenStepsDeps = {
  readonly store: Pick<TokenStore, 'lookAheadMs'>;
  /** Undefined if this process does not have its secret. */
  readonly tokenOf: (id: string) => BotToken | undefined;
  readonly onSuspected: (because: SuspectedBecause, token: BotToken) => void;
  readonly onGone: (token: BotToken) => void;
};

export const createTokenSteps = (deps: TokenStepsDeps) => {
  const { store, tokenOf, onSuspected, onGone } = deps;

  const choose = ({ tokens, nowMs }: View, isFree: boolean) => {
    for (const row of tokens) {
      const token = tokenOf(row.id);
      if (token === undefined || (isFree ? tokenFreeAt(row.record, nowMs) : row.freeAtMs) > nowMs) continue;
      return { row, flight: { id: row.id, token, flightMs: nowMs } };
    }
    return null;
  };

  const lookup: TokenSteps = {
    look: 'free',
    send: (view) => {
      const chosen = choose(view, true);
      if (chosen === null) return null;
      const { row, flight } = chosen;
      const { nowMs } = view;
      const record = recordSend(row.record, { nowMs, byMs: nowMs + store.lookAheadMs });
      const freeAtMs = Math.max(nowMs, tokenFreeAt(record, nowMs));
      return { flight, token: { row, record, freeAtMs, place: 'in-use' } };
    },
    settle: ({ tokens: [row], standings: [{ suspicion }] }, flight, answer) => {
      if (row === undefined) return {};
      const after = recordAnswer(row.record, answer, flight);
      if (after === null) return null;
      const { record, isSuspect } = after;
      const { receivedMs, token } = flight;
      const place = row.isSuspect || isSuspect ? 'suspect' : 'in-use';
      const freeAtMs = row.isSuspect ? row.freeAtMs : turnAfter(row, record, receivedMs);
      const write: TokenWrite = { row, record, freeAtMs: isSuspect ? receivedMs : freeAtMs, place };
      if (row.isSuspect || !isSuspect) return { token: write };
      const { next, isMass } = addDoubt(suspicion, receivedMs);
      const because = suspectedBecause(answer);
      const onWritten = (): void => {
        if (because !== null && token !== null) onSuspected(because, token);
      };
      return { token: write, suspicion: next, suspectAll: isMass, onWritten };
    },
  };

  const check: TokenSteps = {
    look: 'suspects',
    send: (view) => {
      const { suspicion } = view.standings[0];
      const isTime = checkAt(suspicion, view.nowMs) <= view.nowMs;
      const chosen = isTime ? choose(view, false) : null;
      return chosen && { flight: chosen.flight, suspicion: beginCheck(suspicion, view.nowMs) };
    },
    settle: (view, { token, receivedMs }, answer) => {
      const { suspicion } = view.standings[0];
      if (answer === null || token === null) return { suspicion: endCheck(suspicion) };
      const verdict = verdictOf(answer as PlatformAnswer<DiscordUser>, token);
      const after = addVerdict(suspicion, verdict, receivedMs);
      const [row] = view.tokens;
      if (row?.isSuspect !== true) return { suspicion: after };
      const held = holdAfter(row.record?.hold ?? null, verdict, receivedMs);
      if (held === null) {
        const gone: TokenWrite = { row, record: null, freeAtMs: 0, place: 'gone' };
        return { suspicion: after, token: gone, onWritten: () => onGone(token) };
      }
      const { hold, checkMs } = held;
      if (hold !== null) {
        const record = { ...draftOf(row.record, receivedMs), hold };
        return { suspicion: after, token: { row, record, freeAtMs: checkMs, place: 'suspect' } };
      }
      const record = row.record && { ...row.record, hold };
      const freeMs = tokenFreeAt(record, receivedMs);
      const freeAtMs = freeMs === Infinity ? receivedMs : freeMs;
      return { suspicion: after, token: { row, record, freeAtMs, place: 'in-use' } };
    },
  };

  return { lookup, check };
};

/** One that has been free for a while keeps its turn. */
const turnAfter = (row: TokenRow, record: TokenRow['record'], nowMs: number): number => {
  const freeAtMs = tokenFreeAt(record, nowMs);
  return freeAtMs <= nowMs ? Math.min(row.freeAtMs, nowMs) : freeAtMs;
};

/** Only a plain refusal speaks against a token; any other surprise may be a mix-up of the platform. */
const verdictOf = (answer: PlatformAnswer<DiscordUser>, { botId }: BotToken): SuspectVerdict => {
  if (answer.kind === 'unauthorized') return 'dead';
  return answer.kind === 'found' && answer.value.id === botId ? 'alive' : 'unclear';
};

type SuspectCheckerDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: TokenStore;
  readonly steps: TokenSteps;
  readonly onFailure: (error: unknown) => void;
};

const LOOK_AGAIN_MS = 60_000;

export const createSuspectChecker = (deps: SuspectCheckerDeps) => {
  const { clock, platform, store, steps, onFailure } = deps;
  let isChecking = false;
  let cancelTimer: CancelTimer = () => {};

  const suspectWaitMs = (): number => {
    const nowMs = store.nowMs();
    return Math.max(store.size().checkMs, checkAt(store.standings()[0].suspicion, nowMs)) - nowMs;
  };
  const waitMs = (): number => Math.max(suspectWaitMs(), platform.waitMs('getOwnUser'));

  const checkAll = async (): Promise<void> => {
    while (waitMs() <= 0) {
      const permit = await platform.attempt('getOwnUser', steps);
      const token = permit?.flight.token;
      if (!permit || !token) return;
      await permit.send(token);
    }
  };

  const plan = (): void => {
    isChecking = false;
    if (store.size().suspects === 0) return;
    // Never at once: a store that is out of reach would be asked again and again.
    cancelTimer = clock.after(Math.min(Math.max(POLL_MS, waitMs()), LOOK_AGAIN_MS), wake);
  };

  const wake = (): void => {
    if (isChecking || store.size().suspects === 0) return;
    isChecking = true;
    cancelTimer();
    checkAll().catch(onFailure).finally(plan);
  };

  return { wake, waitMs };
};
