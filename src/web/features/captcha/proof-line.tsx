import { useDeferredValue, type ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import { Link } from '../../ui/button.tsx';
import styles from './proof-line.module.css';

type ProofLineProps = { readonly solvedMs: number };

/** Rendered after the answer, to which it belongs. */
export const ProofLine = (props: ProofLineProps): ReactNode =>
  useDeferredValue(true, false) && <Proof {...props} />;

const Proof = ({ solvedMs }: ProofLineProps): ReactNode => {
  const texts = useTexts('captcha');
  const { seconds } = useFormats();
  return (
    <details className={`small ${styles.proof}`}>
      <summary>{fill(texts.solvedIn, { seconds: seconds(solvedMs) })}</summary>
      <p>
        {texts.why} <Link href="/help#puzzle">{texts.whyLink}</Link>
      </p>
    </details>
  );
};
