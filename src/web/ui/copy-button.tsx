import { useEffect, useState, type ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import styles from './copy-button.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

const SHOWN_MS = 2_000;

type Outcome = 'copied' | 'failed';

const drawings = {
  idle: 'M9 9h10v10H9zM5 15V5h10',
  copied: 'M5 12.5l4.5 4.5L19 7.5',
  failed: 'M6 6l12 12M18 6L6 18',
};

const texts: Record<Outcome, string> = { copied: 'Copied.', failed: 'The browser did not allow copying.' };

/** There is no clipboard on a page that came over plain http, and the visitor may have forbidden it. */
const copy = (text: string): Promise<Outcome> =>
  Promise.resolve()
    .then(() => navigator.clipboard.writeText(text))
    .then(
      () => 'copied',
      () => 'failed',
    );

type CopyButtonProps = {
  readonly text: string;
  /** What a press copies: "Copy ID". */
  readonly label: string;
  /** Seen beside the icon; without it the icon stands alone. */
  readonly children?: ReactNode;
};

export const CopyButton = ({ text, label, children }: CopyButtonProps): ReactNode => {
  const { browser } = useEnvironment();
  const [outcome, setOutcome] = useState<Outcome>();

  useEffect(
    () => (outcome === undefined ? undefined : browser.after(SHOWN_MS, () => setOutcome(undefined))),
    [outcome, browser],
  );

  return (
    <>
      <button
        type="button"
        className={styles.copy}
        aria-label={label}
        title={label}
        onClick={() => void copy(text).then(setOutcome)}
      >
        <svg
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d={drawings[outcome ?? 'idle']} />
        </svg>
        {children}
      </button>
      <VisuallyHidden live>{outcome && texts[outcome]}</VisuallyHidden>
    </>
  );
};
