import { useEffect, useState } from 'react';
import { useEnvironment } from '../../environment.ts';
import type { Proofs } from './proof.ts';

const TICK_MS = 200;

/** Looked at a few times a second, as long as there is something to look at. */
export const useShare = (proofs: Proofs | undefined): number => {
  const { after } = useEnvironment().browser;
  const [done, setDone] = useState({ share: 0 });
  useEffect(() => proofs && after(TICK_MS, () => setDone({ share: proofs.share() })), [proofs, done, after]);
  return done.share;
};
