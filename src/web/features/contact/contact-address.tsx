import { useState, type ReactNode } from 'react';
import type { ContactPiece } from '#shared/site.ts';
import { useEnvironment, useTexts } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import styles from '../../ui/text-page.module.css';

/** The address in plain text. Only for the moment in which the visitor uses it: it must not stay in the page. */
export const assembleAddress = (pieces: readonly ContactPiece[]): string =>
  pieces.map(({ text, decoy }) => (decoy ? '' : text)).join('');

/** The address as people see and hear it; in the text of the page it is mixed with decoys. */
export const ContactAddress = (): ReactNode => {
  const { contact: pieces } = useEnvironment().site;
  const texts = useTexts('contactAddress');
  const [copying, setCopying] = useState('');

  const copy = async (): Promise<void> => {
    const outcome = await copyText(assembleAddress(pieces));
    setCopying(outcome === 'copied' ? texts.copied : texts.copyFailed);
  };

  return (
    <div className={`${styles.card} ${styles.wide}`}>
      <p className={styles.address}>
        {pieces.map(({ text, decoy }, place) => (
          <span key={place} {...(decoy && { className: styles.decoy, 'aria-hidden': true })}>
            {text}
          </span>
        ))}
      </p>
      <div className={styles.actions}>
        <Button look="primary" onClick={() => void copy()}>
          {texts.copy}
        </Button>
        <Button onClick={() => location.assign(`mailto:${assembleAddress(pieces)}`)}>{texts.write}</Button>
        <span role="status">{copying}</span>
      </div>
    </div>
  );
};
