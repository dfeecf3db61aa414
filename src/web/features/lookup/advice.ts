import type { Reaction } from '#shared/contract/errors.ts';
import type { Failure, FailureCause } from '../../ask-server.ts';
import type { Texts } from '../../texts/translation.ts';

type AnswerText = keyof Texts['answer'];

/** What the visitor can do, where the sentence that says what happened leaves that open. */
const BY_REACTION: Readonly<Record<Reaction, AnswerText | undefined>> = {
  'solve-again': 'solveAgain',
  // The field is marked and has the focus.
  'fix-input': undefined,
  'try-later': undefined,
  explain: 'outOfDate',
};

/** Where there is more to say than the reaction tells. */
const BY_CAUSE = {
  internal: 'ourFault',
  'platform-failed': 'soonOver',
  'platform-timeout': 'soonOver',
  'pool-busy': 'slotSoon',
  'pool-empty': 'dateStillRight',
  'visitor-limit': 'whyLimited',
  unknown: 'ourFault',
  unreachable: 'checkConnection',
  offline: 'onceOnline',
} as const satisfies Readonly<Partial<Record<FailureCause, AnswerText>>>;

type Advice = 'solveAgain' | 'outOfDate' | (typeof BY_CAUSE)[keyof typeof BY_CAUSE];

/** The name of the text with what to do about a failure. */
export const adviceFor = ({ cause, reaction }: Pick<Failure, 'cause' | 'reaction'>): Advice | undefined =>
  (BY_CAUSE as Readonly<Partial<Record<FailureCause, Advice>>>)[cause] ?? (BY_REACTION[reaction] as Advice);

/** Where what the browser said is no sentence for people. It is among the technical details. */
export const plainWordsFor = ({ cause }: Pick<Failure, 'cause'>): 'unreachable' | 'offline' | undefined =>
  cause === 'unreachable' || cause === 'offline' ? cause : undefined;
