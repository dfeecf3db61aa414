import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A modal that is open as long as it is mounted. Escape, the backdrop and the cross ask to close it. */
export const Dialog = ({ title, onClose, children }: DialogProps): ReactNode => {
  const dialog = useRef<HTMLDialogElement>(null);
  const backdropPressed = useRef(false);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closing, rather than only removing, is what gives the focus back.
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser lets a second Escape close a dialog without asking; an unmounted one says so too late.
      onClose={(event) => {
        if (event.currentTarget.isConnected) onClose();
      }}
      // Text selected with the mouse may end on the backdrop: only a press that also began there closes.
      onPointerDown={(event) => {
        backdropPressed.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        if (backdropPressed.current && event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.content}>
        <h2 id={titleId}>{title}</h2>
        {children}
        {/* Last, so that the focus goes first to what the dialog is about. */}
        <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
    </dialog>
  );
};
