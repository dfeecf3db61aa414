import type { Status } from '#shared/contract/status.ts';
import type { Browser } from '../../environment.ts';
import type { Texts } from '../../texts/translation.ts';
import { readStatus } from './use-status.ts';

export type LiveStatus = {
  readonly tone: 'good' | 'fair' | 'poor';
  /** The name of its text. */
  readonly words: keyof Texts['live'];
};

/** Fewer refusals, or a smaller share of them, are everyday bad luck. */
const MANY_REFUSED = 5;
const LARGE_SHARE = 0.2;

export const summarizeStatus = ({
  tokens,
  lookups_last_hour: { served, refused },
  paused,
}: Status): LiveStatus => {
  if (tokens.healthy + tokens.cooling === 0) return { tone: 'poor', words: 'down' };
  // A server of the version before says nothing of it.
  if (paused?.cause !== undefined) return { tone: 'poor', words: 'paused' };
  if (tokens.healthy === 0) return { tone: 'fair', words: 'slow' };
  if (refused >= MANY_REFUSED && refused > LARGE_SHARE * (served + refused))
    return { tone: 'fair', words: 'failing' };
  return { tone: 'good', words: 'working' };
};

/** Undefined if it cannot be told: the link alone must do then. */
export const readLiveStatus = async (browser: Browser): Promise<LiveStatus | undefined> => {
  // The footer is there as long as the page.
  const answer = await readStatus({ ...browser, signal: new AbortController().signal, errors: {} });
  return answer.kind === 'read' ? summarizeStatus(answer.status) : undefined;
};
