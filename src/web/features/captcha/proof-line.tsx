import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import { Link } from '../../ui/button.tsx';
import styles from './proof-line.module.css';

export const ProofLine = ({ provedMs }: { readonly provedMs: number }): ReactNode => {
  const texts = useTexts('captcha');
  const { seconds } = useFormats();
  return (
    <details className={`small ${styles.proof}`}>
      <summary>{fill(texts.solvedIn, { seconds: seconds(provedMs) })}</summary>
      <p>
        {texts.why} <Link href="/help#puzzle">{texts.whyLink}</Link>
      </p>
    </details>
  );
};
