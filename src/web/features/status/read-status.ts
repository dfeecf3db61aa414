import type { Status } from '#shared/contract/status.ts';
import type { Browser } from '../../browser.ts';
import { askServer, fieldsOf, type Failure, type Network } from '../../ask-server.ts';
import type { Texts } from '../../texts/translation.ts';

type StatusAnswer = {
  readonly kind: 'read';
  readonly status: Status;
  /** How old it was when it came. By the server's clock: the visitor's may be wrong. */
  readonly ageMs: number;
};

const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const hasCounts = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => Number.isSafeInteger(fieldsOf(value)[name]) && Number(fieldsOf(value)[name]) >= 0);

/** The parts that pages show. An answer may come from a proxy, or from a server of another version. */
const isStatus = (body: unknown): body is Status => {
  const { tokens, lookups_last_hour, last_24_hours: hours, paused, ...times } = fieldsOf(body);
  return (
    hasCounts(tokens, 'healthy', 'cooling', 'retired') &&
    hasCounts(lookups_last_hour, 'served', 'refused') &&
    Array.isArray(hours) &&
    hours.every(
      (hour) => hasCounts(hour, 'served', 'refused', 'tokens_healthy') && isTime(fieldsOf(hour)['from']),
    ) &&
    (times['last_retirement'] === null || isTime(times['last_retirement'])) &&
    typeof paused === 'object' &&
    isTime(times['updated_at'])
  );
};

type StatusTexts = { readonly failed: string; readonly unreachable: string };

export const readStatus = (
  network: Network,
  { failed, unreachable }: StatusTexts = { failed: '', unreachable: '' },
): Promise<StatusAnswer | Failure> =>
  askServer(
    {
      path: '/status.json',
      read: (body, { ok, headers }) => {
        if (!ok || !isStatus(body)) return undefined;
        const ageMs = Date.parse(headers.get('date') ?? '') - Date.parse(body.updated_at);
        return { kind: 'read', status: body, ageMs: Math.max(0, ageMs || 0) };
      },
      failed,
      unreachable,
    },
    network,
  );

type LiveStatus = {
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
