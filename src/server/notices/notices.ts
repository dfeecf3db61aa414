import { createRepetition, HOUR_MS, isoTime, MINUTE_MS, type Clock } from '#server/system.ts';
import { remedyOfFault } from '#server/storage/storage-fault.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import { ENOUGH_TOKENS, type LookupPause } from '#shared/contract/status.ts';
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
/** Of problems; those that are over the limit wait. */
const MAX_PER_HOUR = 20;
/** What happens meanwhile is one message. */
const NEWS_EVERY_MS = 10 * MINUTE_MS;
/** After a failure; doubled with each. */
const SHORTEST_REST_MS = 15_000;
const LONGEST_REST_MS = 30 * MINUTE_MS;

/** `toldMs`: when it was taken, not when it was sent. */
type Open = { readonly text: string; readonly sinceMs: number; toldMs: number | null };
type Message = Pick<Notice, 'event' | 'state' | 'text'> & { readonly onTaken: () => void };

export const createNotices = (deps: NoticesDeps) => {
  const { clock, site, server, send, conditions, onFailure } = deps;
  const open = new Map<string, Open>();
  const news = new Map<keyof typeof NEWS, { readonly of: string[]; takenMs: number }>();
  let takenMs: number[] = [];
  let restMs = 0;
  let sendAtMs = -Infinity;

  const dueNews = (nowMs: number): Message[] =>
    [...news].flatMap(([event, known]) => {
      const { of, takenMs } = known;
      if (of.length === 0 || nowMs - takenMs < NEWS_EVERY_MS) return [];
      const count = of.length;
      const onTaken = (): void => {
        of.splice(0, count);
        known.takenMs = nowMs;
      };
      return { event, state: 'news', text: NEWS[event](of), onTaken };
    });

  const dueProblems = (nowMs: number): Message[] => {
    const present = new Map(conditions().map(({ event, text }) => [event, text]));
    for (const [event, text] of present)
      open.set(event, { sinceMs: nowMs, toldMs: null, ...open.get(event), text });
    const due: Message[] = [];
    for (const [event, known] of open) {
      const { text, sinceMs, toldMs } = known;
      const onTaken = (): void => {
        known.toldMs = clock.monotonicMs();
      };
      if (!present.has(event) && toldMs === null) open.delete(event);
      else if (!present.has(event))
        due.push({
          event,
          state: 'over',
          text: `over after ${Math.round((nowMs - sinceMs) / MINUTE_MS)} min: ${text.replace(/ What helps: .*/, '')}`,
          onTaken: () => open.delete(event),
        });
      else if (toldMs === null && nowMs - sinceMs >= LASTING_MS)
        due.push({ event, state: 'problem', text, onTaken });
      else if (toldMs !== null && nowMs - toldMs >= REMIND_AFTER_MS)
        due.push({ event, state: 'problem', text: `still: ${text}`, onTaken });
    }
    return due;
  };

  const look = async (): Promise<void> => {
    const nowMs = clock.monotonicMs();
    takenMs = takenMs.filter((atMs) => nowMs - atMs < HOUR_MS);
    const problems = dueProblems(nowMs).slice(0, MAX_PER_HOUR - takenMs.length);
    if (nowMs < sendAtMs) return;
    for (const { onTaken, ...message } of [...problems, ...dueNews(nowMs)]) {
      const failure = await send({ ...message, site, server, at: isoTime(clock) });
      if (failure !== null) {
        if (restMs === 0) onFailure(failure);
        restMs = Math.min(Math.max(2 * restMs, SHORTEST_REST_MS), LONGEST_REST_MS);
        sendAtMs = clock.monotonicMs() + restMs;
        return;
      }
      restMs = 0;
      if (message.state !== 'news') takenMs.push(clock.monotonicMs());
      onTaken();
    }
  };

  const looks = createRepetition({ clock, work: look, restMs: () => LOOK_EVERY_MS });

  return {
    start: (): void => looks.start(0),
    stop: looks.stop,
    /** Of a token by its short ID. */
    tell: (event: keyof typeof NEWS, subject = ''): void => {
      const known = news.get(event) ?? { of: [], takenMs: -Infinity };
      known.of.push(subject);
      news.set(event, known);
    },
  };
};

const NEWS = {
  restarted: () =>
    'the server started again after it had ended without being told to. See journalctl -u whoflake.',
  'token-retired': (ids: readonly string[]) =>
    ids.length === 1
      ? `Discord has refused the token ${ids[0]} for three days: it was retired.`
      : `Discord has refused ${ids.length} tokens for three days: they were retired. See token-retired in the log.`,
};

type Explained = readonly [finding: string, remedy: string];

const PAUSES: Readonly<Record<LookupPause['cause'], Explained>> = {
  banned: ['the platform is blocking our address', 'wait: it is tried again by itself. Find out why first.'],
  'invalid-requests': [
    'too many requests were invalid, and more could get us banned',
    'wait ten minutes; if it goes on, look for revoked tokens with ops tokens list.',
  ],
  'platform-failing': ['the platform is failing', "check its status page, and this machine's network."],
  'no-tokens': ['there is no working token', 'add a token with ops tokens add.'],
  'tokens-cooling': [
    'the platform has told all tokens to wait',
    'wait, or add tokens with ops tokens add; it goes on by itself.',
  ],
  'store-unavailable': ['PostgreSQL cannot be used', 'see what ops status says.'],
};

type Counts = Pick<ReturnType<TokenPool['counts']>, 'healthy' | 'cooling' | 'suspect'>;

/** Why, beyond the cause that visitors are told. */
export type PauseFacts = {
  readonly suspect: number;
  readonly tokensHeld: boolean;
  readonly tokenDonations: boolean;
  readonly postgresProblem: string | null;
};

export const explainPause = (cause: LookupPause['cause'], facts: PauseFacts): Explained => {
  const { suspect, tokensHeld, tokenDonations, postgresProblem } = facts;
  const [finding, remedy] = PAUSES[cause];
  if (cause === 'store-unavailable' && postgresProblem !== null)
    return [`${finding} (${postgresProblem})`, remedyOfFault(postgresProblem)];
  if (cause !== 'no-tokens') return [finding, remedy];
  if (suspect > 0)
    return ['the platform refuses all tokens', 'wait: they are tried again, and come back by themselves.'];
  if (!tokenDonations) return [finding, 'set BOT_TOKENS, and start it again.'];
  return tokensHeld ? TOKENS_HELD : [finding, remedy];
};

/** After a restore. */
export const TOKENS_HELD: Explained = [
  'the database was restored without its list of withdrawn tokens, so stored tokens are not used',
  'start all servers of this site, or run ops withdrawn merge with the list; if every copy is gone, ops withdrawn release.',
];

export function* findConditions(
  pause: LookupPause | null,
  { healthy, cooling, suspect }: Counts,
  facts: Omit<PauseFacts, 'suspect'>,
): Iterable<Condition> {
  if (pause !== null) {
    const { cause, until } = pause;
    const [finding, remedy] = explainPause(cause, { ...facts, suspect });
    const text = `lookups are paused${until === null ? '' : ` until ${until}`}: ${finding}. What helps: ${remedy}`;
    yield { event: 'lookups-paused', text };
  }
  const usable = healthy + cooling;
  if (usable > 0 && usable < ENOUGH_TOKENS)
    yield {
      event: 'tokens-low',
      text: `only ${usable} working tokens are left. What helps: add one with ops tokens add.`,
    };
  if (suspect > 0)
    yield {
      event: 'tokens-on-hold',
      text: `${suspect} tokens are on hold because Discord refuses them; they come back by themselves. See ops tokens list.`,
    };
}
