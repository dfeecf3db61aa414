import type { Reaction } from '#shared/contract/errors.ts';
import type { Failure, FailureCause } from '../../ask-server.ts';
import type { Texts } from '../../texts/translation.ts';

type Advice = Exclude<keyof Texts['answer'], 'causes'>;

const BY_REACTION: Readonly<Record<Reaction, Advice | undefined>> = {
  'solve-again': 'solveAgain',
  // The field is marked and has the focus.
  'fix-input': undefined,
  'try-later': undefined,
  explain: 'outOfDate',
};

const BY_CAUSE: Readonly<Partial<Record<FailureCause, Advice>>> = {
  internal: 'ourFault',
  'platform-failed': 'soonOver',
  'platform-timeout': 'soonOver',
  'pool-busy': 'slotSoon',
  'pool-empty': 'dateStillRight',
  'visitor-limit': 'whyLimited',
  unknown: 'ourFault',
  unreachable: 'checkConnection',
  offline: 'onceOnline',
};

export const adviceFor = ({ cause, reaction }: Pick<Failure, 'cause' | 'reaction'>): Advice | undefined =>
  BY_CAUSE[cause] ?? BY_REACTION[reaction];
