import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import { Link } from '../../ui/button.tsx';
import styles from './proof-line.module.css';

const provedMsOf = (proof: string): number | undefined => {
  try {
    const { took } = JSON.parse(atob(proof)) as { readonly took?: unknown };
    return typeof took === 'number' && took >= 0 ? took : undefined;
  } catch {
    return undefined;
  }
};

export const ProofLine = ({ proof }: { readonly proof: string }): ReactNode => {
  const provedMs = provedMsOf(proof);
  return provedMs !== undefined && <Proof provedMs={provedMs} />;
};

const Proof = ({ provedMs }: { readonly provedMs: number }): ReactNode => {
  const texts = useTexts('captcha');
  const { seconds } = useFormats();
  return (
    <details className={`small ${styles.proof}`}>
      <summary>{fill(texts.solvedIn, { seconds: seconds(provedMs) })}</summary>
      <p>{texts.why}</p>
      <Link href="/help#puzzle">{texts.whyLink}</Link>
    </details>
  );
};
