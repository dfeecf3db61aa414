import type { ReactNode } from 'react';
import { useEnvironment, useTexts } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import styles from '../../ui/text-page.module.css';

/** The address as people see and hear it; in the text of the page it is mixed with decoys. */
export const ContactAddress = (): ReactNode => {
  const { contact: pieces } = useEnvironment().site;
  const texts = useTexts('contactAddress');
  if (pieces.length === 0) return <p>{texts.none}</p>;
  return (
    <div className={`surface ${styles.card} ${styles.wide}`} id="address">
      <p className={styles.address}>
        {pieces.map(({ text, decoy }, place) => (
          <span key={place} {...(decoy && { className: styles.decoy, 'aria-hidden': true })}>
            {text}
          </span>
        ))}
      </p>
      <div className={`row scripted ${styles.actions}`}>
        <Button look="primary" data-press="copy">
          {texts.copy}
        </Button>
        <Button data-press="write">{texts.write}</Button>
        <span role="status" data-copied={texts.copied} data-failed={texts.copyFailed} />
      </div>
    </div>
  );
};
