import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { Failure } from '../../ask-server.ts';
import type { ProvedRequest, Submission } from '../../proved-request.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import styles from '../../ui/form.module.css';
import { Notice } from '../../ui/notice.tsx';
import receiptStyles from './receipt.module.css';

export type Accepted = {
  readonly kind: 'accepted';
  readonly message: string;
  /** What the donor can take the token back with. The server gives it this once. */
  readonly receipt?: string;
};

type SecretFormProps = {
  readonly request: ProvedRequest<Accepted>;
  /** What to say of an empty field. */
  readonly missing: Submission;
  readonly texts: Readonly<Record<'label' | 'placeholder' | 'hint' | 'submit' | 'busy', string>>;
  readonly onCancel?: () => void;
  readonly children?: ReactNode;
};

/** On a small screen the message may appear below the edge. */
const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** One field for a token or a receipt, and what came of it. */
export const SecretForm = (props: SecretFormProps): ReactNode => {
  const { request, missing, texts, onCancel, children } = props;
  const { state, dispatch } = request;
  // The text stays with the field: what is typed before the page is interactive must not be lost.
  const field = useRef<HTMLInputElement>(null);
  const ids = { field: useId(), hint: useId(), message: useId() };
  const busy = state.step === 'solving' || state.step === 'sending';
  const refused = state.step === 'answered' && !state.waited;
  const accepted = state.step === 'answered' && state.answer.kind === 'accepted';

  useEffect(() => {
    if (refused) field.current?.focus();
    if (accepted && field.current !== null) field.current.value = '';
  }, [state, refused, accepted]);

  return (
    <form
      className={styles.form}
      // Without the page's code a press does nothing, instead of loading the page again.
      method="dialog"
      // The form says what is missing in its own words.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const input = field.current?.value.trim() ?? '';
        dispatch(input === '' ? missing : { type: 'submitted', input });
      }}
    >
      {children}
      <div className={styles.field}>
        <label htmlFor={ids.field}>{texts.label}</label>
        {/* No name: whatever happens, no form can send it. */}
        <input
          ref={field}
          id={ids.field}
          className={styles.input}
          type="text"
          required
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          placeholder={texts.placeholder}
          readOnly={busy}
          aria-invalid={refused}
          aria-describedby={refused ? `${ids.message} ${ids.hint}` : ids.hint}
        />
        <p id={ids.hint}>{texts.hint}</p>
      </div>
      {state.step === 'answered' && (
        <div ref={bringIntoView}>
          <SubmissionMessage id={ids.message} answer={state.answer} />
        </div>
      )}
      <div className={styles.actions}>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" look="primary" busy={busy}>
          {busy ? texts.busy : texts.submit}
        </Button>
      </div>
    </form>
  );
};

type SubmissionMessageProps = { readonly id: string; readonly answer: Accepted | Failure };

/** What came of a submission. Mount a new one for each answer: it may count down. */
const SubmissionMessage = ({ id, answer }: SubmissionMessageProps): ReactNode =>
  answer.kind === 'failed' ? (
    <Notice tone="error" id={id}>
      <p>{answer.message}</p>
      {answer.retryAfterSeconds && <Countdown seconds={answer.retryAfterSeconds} />}
    </Notice>
  ) : (
    <Notice tone="success" id={id}>
      <p>{answer.message}</p>
      {answer.receipt !== undefined && (
        <>
          <p>
            This is your receipt. Keep it: it is shown only once. With it you can withdraw the token at any
            time, on the Token Donation page under “How to leave”.
          </p>
          <code className={receiptStyles.receipt}>{answer.receipt}</code>
          <CopyButton text={answer.receipt} label="Copy receipt" labelled />
        </>
      )}
    </Notice>
  );
