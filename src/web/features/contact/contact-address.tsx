import { useState, type ReactNode } from 'react';
import type { ContactPiece } from '#shared/site.ts';
import { useEnvironment } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import styles from '../../ui/text-page.module.css';

/** The address in plain text. Only for the moment in which the visitor uses it: it must not stay in the page. */
export const assembleAddress = (pieces: readonly ContactPiece[]): string =>
  pieces.map(({ text, decoy }) => (decoy ? '' : text)).join('');

/** The address as people see and hear it; in the text of the page it is mixed with decoys. */
export const ContactAddress = (): ReactNode => {
  const { contact: pieces } = useEnvironment().site;
  const [copying, setCopying] = useState('');

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(assembleAddress(pieces));
      setCopying('Copied');
    } catch {
      setCopying('Copying is not allowed here. Please select the address.');
    }
  };

  return (
    <div className={styles.card}>
      <p className={styles.address}>
        {pieces.map(({ text, decoy }, place) => (
          <span key={place} {...(decoy && { className: styles.decoy, 'aria-hidden': true })}>
            {text}
          </span>
        ))}
      </p>
      <div className={styles.actions}>
        <Button look="primary" onClick={() => void copy()}>
          Copy address
        </Button>
        <Button onClick={() => location.assign(`mailto:${assembleAddress(pieces)}`)}>Write an e-mail</Button>
        <span role="status">{copying}</span>
      </div>
    </div>
  );
};
