import { useEffect, useState } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { useEnvironment, useTexts } from '../../environment.ts';
import { readStatus } from './read-status.ts';

export const useStatus = (sent: Status) => {
  const { browser } = useEnvironment();
  const texts = useTexts('status');
  const [status, setStatus] = useState(sent);
  const [takenMs, setTakenMs] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const [reading, setReading] = useState(false);

  // Not from the start: without scripts nothing would ever end it. What came with the page may be out of a cache.
  useEffect(() => setReading(true), []);

  useEffect(() => {
    if (!reading) return undefined;
    const leaving = new AbortController();
    const read = async (): Promise<void> => {
      const answer = await readStatus({ ...browser, signal: leaving.signal, errors: {} }, texts);
      if (leaving.signal.aborted) return;
      if (answer.kind === 'read') {
        setStatus(answer.status);
        setTakenMs(Date.now() - answer.ageMs);
      }
      setFailure(answer.kind === 'failed' ? answer.message : undefined);
      setReading(false);
    };
    void read();
    return () => leaving.abort();
  }, [reading, browser, texts]);

  return { status, takenMs, failure, reading, refresh: () => setReading(true) };
};

const LOOK_MS = 10_000;

export const useSecondsSince = (ms: number | undefined): number | undefined => {
  const { after } = useEnvironment().browser;
  const [looks, setLooks] = useState(0);
  useEffect(() => after(LOOK_MS, () => setLooks(looks + 1)), [after, looks]);
  return ms === undefined ? undefined : (Date.now() - ms) / 1_000;
};
