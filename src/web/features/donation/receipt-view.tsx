import { useState, type ReactNode } from 'react';
import { copyText } from '../../browser.ts';
import { download } from '../../ui/download.ts';
import { useEnvironment, useTexts, useWindowEvent } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import formStyles from '../../ui/form.module.css';
import { Notice } from '../../ui/notice.tsx';
import styles from './receipt.module.css';
import type { Accepted } from './secret-form.tsx';

/** Guards what is shown only once: until it is saved, a donor who leaves is asked first. */
export const useReceiptGuard = (receipt: string | undefined, onLeave: () => void) => {
  const [saved, setSaved] = useState(false);
  const [asking, setAsking] = useState(false);
  const unsaved = receipt !== undefined && !saved;
  useWindowEvent('beforeunload', (event) => event.preventDefault(), unsaved);
  return {
    saved,
    asking,
    save: () => setSaved(true),
    stay: () => setAsking(false),
    /** Escape at the question is no answer to it: back to the receipt. */
    close: () => (unsaved ? setAsking(!asking) : onLeave()),
  };
};

type ReceiptViewProps = {
  readonly accepted: Accepted;
  readonly saved: boolean;
  readonly onSaved: () => void;
  readonly onDone: () => void;
};

export const ReceiptView = ({ accepted, ...props }: ReceiptViewProps): ReactNode => {
  const { receipt: texts } = useTexts('donation');
  return (
    <div className={formStyles.form}>
      <Notice tone="success">
        <p>{accepted.message}</p>
        {accepted.late && <p>{texts.late}</p>}
      </Notice>
      {accepted.receipt === undefined ? (
        <Button look="primary" autoFocus onClick={props.onDone}>
          {texts.done}
        </Button>
      ) : (
        <Receipt receipt={accepted.receipt} {...props} />
      )}
    </div>
  );
};

export const halvesOf = (receipt: string): readonly string[] => {
  const groups = receipt.split(/(?<=-)/);
  const middle = Math.ceil(groups.length / 2);
  return [groups.slice(0, middle), groups.slice(middle)].map((half) => half.join(''));
};

type ReceiptProps = Omit<ReceiptViewProps, 'accepted'> & { readonly receipt: string };

const Receipt = ({ receipt, saved, onSaved, onDone }: ReceiptProps): ReactNode => {
  const { site, browser } = useEnvironment();
  const { receipt: texts } = useTexts('donation');
  const [copying, setCopying] = useState<'copied' | 'failed'>();

  const copy = async (): Promise<void> => {
    const outcome = await copyText(receipt);
    setCopying(outcome);
    if (outcome === 'copied') onSaved();
  };

  const save = (): void => {
    const name = `${site.brandName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-receipt.txt`;
    download(new Blob([`${receipt}\n\n${texts.file}\n`], { type: 'text/plain' }), name, browser);
    onSaved();
  };

  return (
    <>
      <code className={styles.receipt} dir="ltr">
        {halvesOf(receipt).map((half) => (
          <span key={half}>{half}</span>
        ))}
      </code>
      <p>{texts.keep}</p>
      <p role="status" className={styles.outcome}>
        {copying === 'failed' && texts.copyFailed}
      </p>
      <div className={`row ${styles.actions}`}>
        <Button look={saved ? 'plain' : 'primary'} autoFocus onClick={() => void copy()}>
          {copying === 'copied' ? texts.copied : texts.copy}
        </Button>
        <Button onClick={save}>{texts.download}</Button>
        <Button look={saved ? 'primary' : 'plain'} onClick={onDone}>
          {texts.done}
        </Button>
      </div>
    </>
  );
};

type LeavingQuestionProps = { readonly onStay: () => void; readonly onLeave: () => void };

export const LeavingQuestion = ({ onStay, onLeave }: LeavingQuestionProps): ReactNode => {
  const { leaving: texts } = useTexts('donation');
  return (
    <div className={formStyles.form}>
      <p role="alert">{texts.text}</p>
      <div className={`row ${styles.actions}`}>
        <Button look="primary" autoFocus onClick={onStay}>
          {texts.stay}
        </Button>
        <Button onClick={onLeave}>{texts.leave}</Button>
      </div>
    </div>
  );
};
