import { createRepetition, isoTime, type Clock } from '#server/system.ts';
import type { Notice } from './receiver.ts';

export type Condition = { readonly event: string; readonly text: string };

export type NoticesDeps = {
  readonly clock: Clock;
  readonly site: string;
  readonly server: string;
  readonly send: (notice: Notice) => Promise<string | null>;
  readonly conditions: () => readonly Condition[];
  readonly onFailure: (reason: string) => void;
};

const LOOK_EVERY_MS = 5_000;
/** What is over by then is not worth a message. */
const LASTING_MS = 60_000;
const REMIND_AFTER_MS = 6 * 3_600_000;
const HOUR_MS = 3_600_000;
const MAX_PER_HOUR = 20;

type Open = { text: string; readonly sinceMs: number; toldMs: number | null };

export const createNotices = (deps: NoticesDeps) => {
  const { clock, site, server, send, conditions, onFailure } = deps;
  const open = new Map<string, Open>();
  let sentMs: number[] = [];
  let hasFailed = false;

  const tell = (event: string, state: Notice['state'], text: string): void => {
    const nowMs = clock.monotonicMs();
    sentMs = sentMs.filter((atMs) => nowMs - atMs < HOUR_MS);
    if (sentMs.length >= MAX_PER_HOUR) return;
    sentMs.push(nowMs);
    void deliver({ event, state, text, site, server, at: isoTime(clock) });
  };
  /** One line in the log, however long the receiver is gone. */
  const deliver = async (notice: Notice): Promise<void> => {
    const reason = await send(notice);
    if (reason !== null && !hasFailed) onFailure(reason);
    hasFailed = reason !== null;
  };

  const look = (): void => {
    const nowMs = clock.monotonicMs();
    const now = new Map(conditions().map(({ event, text }) => [event, text]));
    for (const [event, text] of now) {
      const known = open.get(event) ?? { text, sinceMs: nowMs, toldMs: null };
      open.set(event, known);
      known.text = text;
      const isDue = known.toldMs === null ? LASTING_MS : REMIND_AFTER_MS;
      if (nowMs - (known.toldMs ?? known.sinceMs) < isDue) continue;
      tell(event, 'problem', known.toldMs === null ? text : `still: ${text}`);
      known.toldMs = nowMs;
    }
    for (const [event, { text, toldMs }] of open) {
      if (now.has(event)) continue;
      open.delete(event);
      if (toldMs !== null) tell(event, 'over', `over: ${text}`);
    }
  };

  const looks = createRepetition({ clock, work: look, restMs: () => LOOK_EVERY_MS });

  return {
    start: (): void => looks.start(0),
    stop: looks.stop,
    tell: (event: string, text: string): void => tell(event, 'news', text),
  };
};
