import type { PlatformAnswer } from './platform-answer.ts';
import type { RateLimitReading } from './rate-limit-headers.ts';

/** How a call fared, whatever was asked. */
export type CallOutcome =
  | { readonly kind: 'answered'; readonly reading: RateLimitReading | null }
  | { readonly kind: 'failed' }
  | Extract<PlatformAnswer<never>, { kind: 'rate-limited' | 'unauthorized' | 'forbidden' | 'blocked' }>;

export const callOutcome = (answer: PlatformAnswer<unknown>): CallOutcome => {
  switch (answer.kind) {
    case 'found':
    case 'not-found':
    case 'refused':
      return { kind: 'answered', reading: answer.reading };
    case 'failed':
      return { kind: 'failed' };
    case 'rate-limited':
    case 'unauthorized':
    case 'forbidden':
    case 'blocked':
      return answer;
  }
};
