import type { Status } from '#shared/contract/status.ts';
import type { Browser } from '../../environment.ts';
import { liveStatus } from '../../texts/pages/status.ts';
import { readStatus } from './use-status.ts';

export type LiveStatus = {
  readonly tone: 'good' | 'fair' | 'poor';
  readonly words: string;
};

/** Fewer refusals, or a smaller share of them, are everyday bad luck. */
const MANY_REFUSED = 5;
const LARGE_SHARE = 0.2;

export const summarizeStatus = ({
  tokens,
  lookups_last_hour: { served, refused },
  paused,
}: Status): LiveStatus => {
  if (tokens.healthy + tokens.cooling === 0) return { tone: 'poor', words: liveStatus.down };
  // A server of the version before says nothing of it.
  if (paused?.cause !== undefined) return { tone: 'poor', words: liveStatus.paused };
  if (tokens.healthy === 0) return { tone: 'fair', words: liveStatus.slow };
  if (refused >= MANY_REFUSED && refused > LARGE_SHARE * (served + refused))
    return { tone: 'fair', words: liveStatus.failing };
  return { tone: 'good', words: liveStatus.working };
};

/** Undefined if it cannot be told: the link alone must do then. */
export const readLiveStatus = async (browser: Browser): Promise<LiveStatus | undefined> => {
  // The footer is there as long as the page.
  const answer = await readStatus({ ...browser, signal: new AbortController().signal });
  return answer.kind === 'read' ? summarizeStatus(answer.status) : undefined;
};
