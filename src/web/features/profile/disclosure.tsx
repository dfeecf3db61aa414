import { useState, type ReactNode } from 'react';
import styles from './disclosure.module.css';

type DisclosureProps = { readonly summary: string; readonly children: ReactNode };

/** Renders what it hides only when it is opened. */
export const Disclosure = ({ summary, children }: DisclosureProps): ReactNode => {
  const [opened, setOpened] = useState(false);
  return (
    <details className={styles.disclosure} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {opened && children}
    </details>
  );
};
