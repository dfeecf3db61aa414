import { useEffect, useState, type ReactNode } from 'react';
import { copyText, type CopyOutcome } from '../browser.ts';
import { useEnvironment, useTexts } from '../environment.ts';
import buttonStyles from './button.module.css';
import styles from './copy-button.module.css';
import { Icon } from './icon.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

const SHOWN_MS = 1_500;

const icons = { copied: 'check', failed: 'close' } as const;

type CopyButtonProps = {
  readonly text: string;
  readonly label: string;
  /** `icon`: only the icon. `value`: what is copied, with the icon. `words`, `plain`: the label. */
  readonly look?: 'icon' | 'value' | 'words' | 'plain';
  readonly children?: ReactNode;
};

export const CopyButton = ({ text, label, look = 'icon', children }: CopyButtonProps): ReactNode => {
  const { browser } = useEnvironment();
  const { copied, copyFailed } = useTexts('ui');
  const [outcome, setOutcome] = useState<CopyOutcome>();

  useEffect(
    () => (outcome === undefined ? undefined : browser.after(SHOWN_MS, () => setOutcome(undefined))),
    [outcome, browser],
  );

  const icon = <Icon name={outcome ? icons[outcome] : 'copy'} />;
  const { copy, value } = styles;
  const className = { icon: copy, value, words: copy, plain: buttonStyles.plain };
  return (
    <>
      <button
        type="button"
        className={`target ${className[look]}`}
        data-outcome={outcome}
        // A value is its own name; the title describes what a press does.
        aria-label={look === 'value' ? undefined : label}
        title={look === 'icon' || look === 'value' ? label : undefined}
        onClick={() => void copyText(text).then(setOutcome)}
      >
        {look === 'value' && children}
        {icon}
        {(look === 'words' || look === 'plain') && (outcome === 'copied' ? copied : (children ?? label))}
      </button>
      <VisuallyHidden live>{outcome && { copied, failed: copyFailed }[outcome]}</VisuallyHidden>
    </>
  );
};
