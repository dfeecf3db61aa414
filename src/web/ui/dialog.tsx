import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useEnvironment, useTexts } from '../environment.ts';
import { Button } from './button.tsx';
import copyStyles from './copy-button.module.css';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

const SETTLE_MS = 500;

/** False for as long as the second half of a double press may land on what has just appeared under it. */
export const useSettled = (visible = true): boolean => {
  const { after } = useEnvironment().browser;
  const [settled, setSettled] = useState(false);
  useEffect(() => (visible ? after(SETTLE_MS, () => setSettled(true)) : undefined), [after, visible]);
  return settled;
};

/** The second half of a double click was meant for what was there before, however late a busy browser hands it over. */
export const onFirstClick =
  (act: () => void) =>
  ({ detail }: { readonly detail: number }): void => {
    if (detail < 2) act();
  };

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  /** For one that comes up while the visitor waits for something else: only Escape and its own buttons close it. */
  readonly guarded?: boolean;
  /** Open, but not painted yet. */
  readonly unseen?: boolean;
  readonly children: ReactNode;
};

export const Dialog = (props: DialogProps): ReactNode => {
  const { title, onClose, guarded = false, unseen = false, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const backdropPressed = useRef(false);
  const settled = useSettled(!unseen);
  const texts = useTexts('ui');
  const titleId = useId();

  // Not only once: what asks back before it closes is still there after a browser closed it by itself.
  useLayoutEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  });

  useLayoutEffect(() => {
    // On one of its buttons, the focus would turn a second Enter or Space into a press of that button.
    if (guarded) dialog.current?.focus();
  }, [guarded]);

  useLayoutEffect(() => {
    const element = dialog.current;
    // Closing, rather than only removing, is what gives the focus back.
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={`surface ${styles.dialog} ${props.unseen === undefined ? '' : styles.low} ${unseen ? styles.unseen : ''}`}
      tabIndex={-1}
      aria-labelledby={titleId}
      // A browser lets a second Escape close a dialog without asking: then it says so itself, as does one unmounted.
      onCancel={(event) => {
        if (!event.cancelable) return;
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        if (event.currentTarget.isConnected) onClose();
      }}
      // Text selected with the mouse may end on the backdrop: only a press that also began there closes.
      onPointerDown={(event) => {
        backdropPressed.current = settled && !guarded && event.target === dialog.current;
      }}
      onClick={(event) => {
        if (backdropPressed.current && event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.content}>
        <h2 id={titleId}>{title}</h2>
        {children}
        {/* Last, so that the focus goes first to what the dialog is about. */}
        <Button
          className={`target ${copyStyles.copy} ${styles.close}`}
          aria-label={texts.close}
          busy={!settled}
          onClick={onFirstClick(onClose)}
        >
          <Icon name="close" />
        </Button>
      </div>
    </dialog>
  );
};
