import { useEffect, useState } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { readStatus } from './read-status.ts';

export type StatusReading = {
  /** The last that was read; stays on screen while a newer one is on its way. */
  readonly status: Status | undefined;
  readonly failure: string | undefined;
  readonly reading: boolean;
  readonly refresh: () => void;
};

/** Reads the status once it is mounted, and again on request. */
export const useStatus = (fetch: typeof globalThis.fetch): StatusReading => {
  const [status, setStatus] = useState<Status>();
  const [failure, setFailure] = useState<string>();
  const [reading, setReading] = useState(true);

  useEffect(() => {
    if (!reading) return undefined;
    const leaving = new AbortController();
    const read = async (): Promise<void> => {
      const answer = await readStatus({ fetch, signal: leaving.signal });
      if (leaving.signal.aborted) return;
      if (answer.kind === 'read') setStatus(answer.status);
      setFailure(answer.kind === 'failed' ? answer.message : undefined);
      setReading(false);
    };
    void read();
    return () => leaving.abort();
  }, [reading, fetch]);

  return { status, failure, reading, refresh: () => setReading(true) };
};
