import { useEffect, useState, type ReactNode } from 'react';
import { useEnvironment, useTexts } from '../../environment.ts';
import { GrowingFlake } from '../../ui/growing-flake.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import styles from './altcha-widget.module.css';
import type { Proofs } from './proof.ts';

const TICK_MS = 200;

/** Looked at a few times a second, as long as there is something to look at. */
export const useShare = (proofs: Proofs | undefined): number => {
  const { after } = useEnvironment().browser;
  const [done, setDone] = useState({ share: 0 });
  useEffect(() => proofs && after(TICK_MS, () => setDone({ share: proofs.share() })), [proofs, done, after]);
  return done.share;
};

export const CaptchaProgress = ({ proofs }: { readonly proofs: Proofs }): ReactNode => {
  const texts = useTexts('captcha');
  const share = useShare(proofs);
  return (
    <div className={`small ${styles.progress}`}>
      <GrowingFlake share={share} />
      <VisuallyHidden>
        <progress aria-label={texts.progress} value={share} />
      </VisuallyHidden>
    </div>
  );
};
