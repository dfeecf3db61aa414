import type { Status } from '#shared/contract/status.ts';
import { fieldsOf } from '#shared/parse-json.ts';
import { askServer, type Failure, type Network } from '../../ask-server.ts';

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
