import { useEffect, useState } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { askServer, type Failure, type Network } from '../../ask-server.ts';
import { useEnvironment } from '../../environment.ts';
import { statusReading } from '../../texts/pages/status.ts';

type StatusAnswer = { readonly kind: 'read'; readonly status: Status };

export const readStatus = (network: Network): Promise<StatusAnswer | Failure> =>
  askServer(
    {
      path: '/status.json',
      read: (body, { ok }) =>
        ok && body !== undefined ? { kind: 'read', status: body as Status } : undefined,
      ...statusReading,
    },
    network,
  );

/** Reads the status once it is mounted, and again on request. `sent` is what the page came with. */
export const useStatus = (sent: Status) => {
  const { browser } = useEnvironment();
  /** The last that was read; stays on screen while a newer one is on its way. */
  const [status, setStatus] = useState(sent);
  const [failure, setFailure] = useState<string>();
  const [reading, setReading] = useState(false);

  // Not from the start: without scripts nothing would ever end it. What came with the page may be out of a cache.
  useEffect(() => setReading(true), []);

  useEffect(() => {
    if (!reading) return undefined;
    const leaving = new AbortController();
    const read = async (): Promise<void> => {
      const answer = await readStatus({ ...browser, signal: leaving.signal });
      if (leaving.signal.aborted) return;
      if (answer.kind === 'read') setStatus(answer.status);
      setFailure(answer.kind === 'failed' ? answer.message : undefined);
      setReading(false);
    };
    void read();
    return () => leaving.abort();
  }, [reading, browser]);

  return { status, failure, reading, refresh: () => setReading(true) };
};
