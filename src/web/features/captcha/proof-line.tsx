import { useCallback, useState, type ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import { Link } from '../../ui/button.tsx';
import styles from './proof-line.module.css';

type ProofLineProps = { readonly solvedMs: number };

/** Once it comes near the screen: a page's first number in words takes a phone 0.1 s. */
export const ProofLine = (props: ProofLineProps): ReactNode => {
  const [near, setNear] = useState(false);
  const watch = useCallback((place: HTMLDivElement) => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '100px' },
    );
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={watch} className={`small ${styles.place}`}>
      {near && <Proof {...props} />}
    </div>
  );
};

const Proof = ({ solvedMs }: ProofLineProps): ReactNode => {
  const texts = useTexts('captcha');
  const { seconds } = useFormats();
  return (
    <details className={styles.proof}>
      <summary>{fill(texts.solvedIn, { seconds: seconds(solvedMs) })}</summary>
      <p>
        {texts.why} <Link href="/help#puzzle">{texts.whyLink}</Link>
      </p>
    </details>
  );
};
