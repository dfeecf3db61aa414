import { useEffect, useState } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { useEnvironment, useTexts } from '../../environment.ts';
import { readStatus } from './read-status.ts';

type Shown = { readonly status: Status; readonly takenMs?: number; readonly failure?: string };

export const useStatus = (sent: Status) => {
  const { browser } = useEnvironment();
  const texts = useTexts('status');
  const [shown, setShown] = useState<Shown>({ status: sent });
  const [reading, setReading] = useState(false);

  // Not from the start: without scripts nothing would ever end it. What came with the page may be out of a cache.
  useEffect(() => setReading(true), []);

  useEffect(() => {
    if (!reading) return undefined;
    const leaving = new AbortController();
    const read = async (): Promise<void> => {
      const answer = await readStatus({ ...browser, signal: leaving.signal, errors: {} }, texts);
      if (leaving.signal.aborted) return;
      if (answer.kind === 'read') setShown({ ...answer, takenMs: Date.now() - answer.ageMs });
      else setShown((last) => ({ ...last, failure: answer.message }));
      setReading(false);
    };
    void read();
    return () => leaving.abort();
  }, [reading, browser, texts]);

  return { ...shown, reading, refresh: () => setReading(true) };
};

const LOOK_MS = 10_000;

export const useNowMs = (): number => {
  const { after } = useEnvironment().browser;
  const [looks, setLooks] = useState(0);
  useEffect(() => after(LOOK_MS, () => setLooks(looks + 1)), [after, looks]);
  return Date.now();
};
