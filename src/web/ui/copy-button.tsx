import { useEffect, useState, type ReactNode } from 'react';
import { copyText, type CopyOutcome } from '../browser.ts';
import { useEnvironment, useTexts } from '../environment.ts';
import buttonStyles from './button.module.css';
import styles from './copy-button.module.css';
import { Icon } from './icon.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

const SHOWN_MS = 2_000;

const icons = { copied: 'check', failed: 'close' } as const;

type CopyButtonProps = {
  readonly text: string;
  /** What a press copies: "Copy ID". */
  readonly label: string;
  /** The visible part of the label, beside the icon. Without it there is only the icon. */
  readonly labelled?: ReactNode;
  readonly look?: 'bare' | 'plain';
  /** Visible before the icon. */
  readonly children?: ReactNode;
};

export const CopyButton = (props: CopyButtonProps): ReactNode => {
  const { text, label, labelled = false, look = 'bare', children } = props;
  const { browser } = useEnvironment();
  const { copied, copyFailed } = useTexts('ui');
  const [outcome, setOutcome] = useState<CopyOutcome>();

  useEffect(
    () => (outcome === undefined ? undefined : browser.after(SHOWN_MS, () => setOutcome(undefined))),
    [outcome, browser],
  );

  return (
    <>
      <button
        type="button"
        className={look === 'plain' ? buttonStyles.plain : styles.copy}
        aria-label={label}
        title={labelled ? undefined : label}
        onClick={() => void copyText(text).then(setOutcome)}
      >
        {children}
        <Icon name={outcome ? icons[outcome] : 'copy'} />
        {labelled === true ? label : labelled}
      </button>
      <VisuallyHidden live>{outcome && { copied, failed: copyFailed }[outcome]}</VisuallyHidden>
    </>
  );
};
