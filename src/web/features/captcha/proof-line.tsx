import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useLocalPath, useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import styles from './proof-line.module.css';

/** That there was a captcha, which most visitors never see, and what it was for. */
export const ProofLine = ({ solvedMs }: { readonly solvedMs: number }): ReactNode => {
  const texts = useTexts('captcha');
  const { seconds } = useFormats();
  const localPath = useLocalPath();
  return (
    <details className={styles.proof}>
      <summary>{fill(texts.solvedIn, { seconds: seconds(solvedMs) })}</summary>
      <p>
        {texts.why} <a href={localPath('/help#puzzle')}>{texts.whyLink}</a>
      </p>
    </details>
  );
};
