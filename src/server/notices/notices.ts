import { createRepetition, HOUR_MS, isoTime, MINUTE_MS, type Clock } from '#server/system.ts';
import type { Notice } from './receiver.ts';

export type Condition = { readonly event: string; readonly text: string };

export type NoticesDeps = {
  readonly clock: Clock;
  readonly site: string;
  readonly server: string;
  /** Null once the receiver has taken it, else why not. */
  readonly send: (notice: Notice) => Promise<string | null>;
  readonly conditions: () => readonly Condition[];
  readonly onFailure: (reason: string) => void;
};

const LOOK_EVERY_MS = 5_000;
/** What is over by then is not worth a message. */
const LASTING_MS = MINUTE_MS;
const REMIND_AFTER_MS = 6 * HOUR_MS;
const MAX_PER_HOUR = 20;
/** After a failure; doubled with each. */
const SHORTEST_REST_MS = 15_000;
const LONGEST_REST_MS = 30 * MINUTE_MS;

/** `toldMs`: when it was taken, not when it was sent. */
type Open = { text: string; readonly sinceMs: number; toldMs: number | null };
type Message = Pick<Notice, 'event' | 'state' | 'text'> & { readonly onTaken: () => void };

export const createNotices = (deps: NoticesDeps) => {
  const { clock, site, server, send, conditions, onFailure } = deps;
  const open = new Map<string, Open>();
  const news = new Set<Message>();
  let takenMs: number[] = [];
  let restMs = 0;
  let sendAtMs = -Infinity;

  const dueMessages = (now: readonly Condition[], nowMs: number): Message[] => {
    for (const { event, text } of now) {
      const known = open.get(event) ?? { text, sinceMs: nowMs, toldMs: null };
      open.set(event, Object.assign(known, { text }));
    }
    const present = new Set(now.map(({ event }) => event));
    const due: Message[] = [];
    for (const [event, known] of open) {
      const { text, sinceMs, toldMs } = known;
      const onTaken = (): void => {
        known.toldMs = clock.monotonicMs();
      };
      if (!present.has(event) && toldMs === null) open.delete(event);
      else if (!present.has(event))
        due.push({ event, state: 'over', text: `over: ${text}`, onTaken: () => open.delete(event) });
      else if (toldMs === null && nowMs - sinceMs >= LASTING_MS)
        due.push({ event, state: 'problem', text, onTaken });
      else if (toldMs !== null && nowMs - toldMs >= REMIND_AFTER_MS)
        due.push({ event, state: 'problem', text: `still: ${text}`, onTaken });
    }
    return [...due, ...news];
  };

  const deliver = async ({ event, state, text, onTaken }: Message): Promise<boolean> => {
    const reason = await send({ event, state, text, site, server, at: isoTime(clock) });
    if (reason === null) {
      takenMs.push(clock.monotonicMs());
      onTaken();
    } else if (restMs === 0) onFailure(reason);
    return reason === null;
  };

  const look = async (): Promise<void> => {
    const nowMs = clock.monotonicMs();
    const due = dueMessages(conditions(), nowMs);
    takenMs = takenMs.filter((atMs) => nowMs - atMs < HOUR_MS);
    if (nowMs < sendAtMs) return;
    for (const message of due.slice(0, MAX_PER_HOUR - takenMs.length)) {
      if (await deliver(message)) restMs = 0;
      else {
        restMs = Math.min(Math.max(2 * restMs, SHORTEST_REST_MS), LONGEST_REST_MS);
        sendAtMs = clock.monotonicMs() + restMs;
        return;
      }
    }
  };

  const looks = createRepetition({ clock, work: look, restMs: () => LOOK_EVERY_MS });

  return {
    start: (): void => looks.start(0),
    stop: looks.stop,
    tell: (event: string, text: string): void => {
      const message: Message = { event, state: 'news', text, onTaken: () => news.delete(message) };
      if (news.size < MAX_PER_HOUR) news.add(message);
    },
  };
};
