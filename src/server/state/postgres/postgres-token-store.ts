import { PERMIT_MS, POLL_MS } from '#server/deadlines.ts';
import { MAX_LATE_MS, sendIntervalMs, SHARED_JITTER_MS } from '#server/rules/pace.ts';
import { stateOf, type TokenState } from '#server/rules/token-rules.ts';
import type { System } from '#server/system.ts';
import type { Change, Look, OpenTokenStore, View } from '../token-store.ts';
import { createPostgresMembers } from './members.ts';
import type { PostgresSession } from './session.ts';
import { applyStatement } from './token-statements.ts';
import { createTokenViews, readRecord } from './token-views.ts';

type PostgresTokenStoreDeps = {
  readonly system: System;
  readonly session: PostgresSession;
  readonly perSecond: number;
};

/** Hides the way to PostgreSQL: a slot that lies ahead is not over when its answer arrives. */
const LOOK_AHEAD_MS = 100;
const FRESH_MS = 100;

/** Somebody waits for it: PostgreSQL that ends statements so often cannot be used. */
const MOST_TRIES = 4;

export const openPostgresTokenStore =
  ({ system: { clock, random }, session, perSecond }: PostgresTokenStoreDeps): OpenTokenStore =>
  (onChange, isCurrent = () => true) => {
    const intervalMs = sendIntervalMs(perSecond, SHARED_JITTER_MS);
    const leaveMs = LOOK_AHEAD_MS + MAX_LATE_MS;
    const members = createPostgresMembers({ clock, session, onChange, isCurrent, leaveMs });
    const views = createTokenViews(session, members);
    let endedWrites = 0;
    let nextView: { readonly view: View; readonly atMs: number } | null = null;

    const ask = async (look: Look): Promise<View> => {
      const additions = members.additions();
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const results = await session.run([...additions, views.statement(look)]);
        if (results !== null) return views.take(look, results.at(-1) ?? []);
      }
      throw session.unavailable('others were in the way');
    };
    const read = (look: Look): View | Promise<View> => {
      if (look === 'suspects') return ask(look);
      if (look !== 'free') return views.known(look) ?? ask(look);
      const next = nextView;
      nextView = null;
      const isFresh = next !== null && clock.monotonicMs() - next.atMs < FRESH_MS;
      return isFresh && !members.isAnyMissing() ? { ...next.view, nowMs: session.nowMs() } : ask(look);
    };

    /** After a collision servers choose at random, or they would meet again at the next token. */
    const shuffle = (view: View): View => {
      const by = random.integer(Math.max(1, view.tokens.length));
      return { ...view, tokens: [...view.tokens.slice(by), ...view.tokens.slice(0, by)] };
    };
    const lookAfter = ({ token, isSend }: Change): Look => {
      if (token === undefined) return 'none';
      return isSend === true ? 'free' : { id: token.row.id };
    };
    const apply = async (change: Change): Promise<number | null> => {
      const look = lookAfter(change);
      const { timely, nowMs } = session;
      const options = { timely, nowMs: nowMs(), intervalMs, lookAheadMs: LOOK_AHEAD_MS };
      const results = await session.run([applyStatement(change, options), views.statement(look)]);
      endedWrites = results === null ? endedWrites + 1 : 0;
      if (endedWrites >= MOST_TRIES) throw session.unavailable('others were in the way');
      if (results === null) return null;
      const [[written] = [], rows = []] = results;
      if (change.token !== undefined) views.wrote(change.token, written !== undefined);
      const view = views.take(look, rows);
      if (look === 'free')
        nextView = { view: written === undefined ? shuffle(view) : view, atMs: clock.monotonicMs() };
      return written === undefined ? null : Number(written['slot']);
    };

    session.onBeat({
      statements: () => [views.statement('none')],
      handle: ([rows = []]) => void views.take('none', rows),
    });

    return {
      nowMs: session.nowMs,
      lookAheadMs: LOOK_AHEAD_MS,
      add: members.add,
      remove: members.remove,
      read,
      apply,
      standings: () => [views.standing()],
      slotWaitMs: () => {
        const waitMs = views.tatMs() - LOOK_AHEAD_MS - session.nowMs();
        return waitMs > PERMIT_MS ? 0 : waitMs;
      },
      tokenWait: () => {
        const { freeAtMs, isAnyAway } = views.first();
        const waitMs = freeAtMs - session.nowMs();
        return { waitMs: isAnyAway ? Math.min(waitMs, POLL_MS) : waitMs, mayBeSooner: isAnyAway };
      },
      size: members.size,
      counts: members.counts,
      states: () => readStates(session),
    };
  };

const readStates = async (session: PostgresSession): Promise<ReadonlyMap<string, TokenState>> => {
  const text = `select id, record, place from token_state where place <> 'removed'`;
  const [rows = []] = (await session.run([text])) ?? [];
  const nowMs = session.nowMs();
  return new Map(
    rows.map(({ id, record, place }) => [
      String(id),
      stateOf(readRecord(record), place === 'suspect', nowMs),
    ]),
  );
};
