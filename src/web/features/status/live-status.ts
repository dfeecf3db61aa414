import type { Status } from '#shared/contract/status.ts';
import type { Browser } from '../../browser.ts';
import type { Texts } from '../../texts/translation.ts';
import { readStatus } from './read-status.ts';

export type LiveStatus = {
  readonly tone: 'good' | 'fair' | 'poor';
  readonly words: keyof Texts['live'];
};

/** With fewer refusals, or a smaller share of them, nothing is wrong. */
const MANY_REFUSED = 5;
const LARGE_SHARE = 0.2;

export const summarizeStatus = ({
  tokens,
  lookups_last_hour: { served, refused },
  paused,
}: Status): LiveStatus => {
  if (tokens.healthy + tokens.cooling === 0) return { tone: 'poor', words: 'down' };
  if (paused !== null) return { tone: 'poor', words: 'paused' };
  if (tokens.healthy === 0) return { tone: 'fair', words: 'slow' };
  if (refused >= MANY_REFUSED && refused > LARGE_SHARE * (served + refused))
    return { tone: 'fair', words: 'failing' };
  return { tone: 'good', words: 'working' };
};

export const readLiveStatus = async (browser: Browser): Promise<LiveStatus | undefined> => {
  // The footer is there as long as the page.
  const answer = await readStatus({ ...browser, signal: new AbortController().signal, errors: {} });
  return answer.kind === 'read' ? summarizeStatus(answer.status) : undefined;
};
