import type { Status } from '#shared/contract/status.ts';
import { askServer, type Failure, type Network } from '../../ask-server.ts';

type StatusAnswer = {
  readonly kind: 'read';
  readonly status: Status;
  /** How old it was when it came. By the server's clock: the visitor's may be wrong. */
  readonly ageMs: number;
};

type StatusTexts = { readonly failed: string; readonly unreachable: string };

/** Needs no texts if the caller does not show failures. */
export const readStatus = (
  network: Network,
  { failed, unreachable }: StatusTexts = { failed: '', unreachable: '' },
): Promise<StatusAnswer | Failure> =>
  askServer(
    {
      path: '/status.json',
      read: (body, { ok, headers }) => {
        if (!ok || body === undefined) return undefined;
        const status = body as Status;
        const ageMs = Date.parse(headers.get('date') ?? '') - Date.parse(status.updated_at);
        return { kind: 'read', status, ageMs: Math.max(0, ageMs || 0) };
      },
      failed,
      unreachable,
    },
    network,
  );
