import type { Status } from '#shared/contract/status.ts';
import { askServer, type Failure, type Network } from '../../ask-server.ts';

type StatusAnswer = {
  readonly kind: 'read';
  readonly status: Status;
  /** How old it was when it came. By the server's clock: the visitor's may be wrong. */
  readonly ageMs: number;
};

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const hasCounts = (value: unknown, ...names: readonly string[]): boolean =>
  isObject(value) && names.every((name) => Number.isSafeInteger(value[name]) && Number(value[name]) >= 0);

/** The parts that pages show. An answer may come from a proxy, or from a server of another version. */
const isStatus = (body: unknown): body is Status =>
  isObject(body) &&
  hasCounts(body['tokens'], 'healthy', 'cooling', 'retired') &&
  hasCounts(body['lookups_last_hour'], 'served', 'refused') &&
  Array.isArray(body['last_24_hours']) &&
  body['last_24_hours'].every(
    (hour: unknown) =>
      hasCounts(hour, 'served', 'refused', 'tokens_healthy') && isObject(hour) && isTime(hour['from']),
  ) &&
  (body['last_retirement'] === null || isTime(body['last_retirement'])) &&
  (body['paused'] === null || isObject(body['paused'])) &&
  isTime(body['updated_at']);

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
