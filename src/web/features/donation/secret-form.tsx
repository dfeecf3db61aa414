import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { Browser } from '../../browser.ts';
import { Button } from '../../ui/button.tsx';
import styles from '../../ui/form.module.css';
import { SubmissionMessage } from './submission-message.tsx';
import type { Submission } from './use-submission.ts';

/** What the captcha of a submission is given. */
export type SubmissionCaptcha = {
  readonly title: string;
  readonly onProof: (proof: string) => void;
  readonly onClose: () => void;
};

type SecretFormProps = {
  readonly submission: Submission;
  readonly texts: {
    readonly label: string;
    readonly placeholder: string;
    readonly hint: string;
    readonly missing: string;
    readonly submit: string;
    readonly busy: string;
  };
  readonly after: Browser['after'];
  readonly onCancel?: () => void;
  readonly children?: ReactNode;
};

/** On a small screen the message may appear below the edge. */
const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** One field for a token or a receipt, and what came of it. */
export const SecretForm = ({ submission, texts, after, onCancel, children }: SecretFormProps): ReactNode => {
  const { state, dispatch } = submission;
  const field = useRef<HTMLInputElement>(null);
  const ids = { field: useId(), hint: useId(), message: useId() };
  const busy = state.step !== 'editing';
  const outcome = state.step === 'editing' ? state.outcome : undefined;
  const missing = outcome?.kind === 'missing';

  useEffect(() => {
    if (missing) field.current?.focus();
  }, [outcome, missing]);

  return (
    <form
      className={styles.form}
      // The form says what is missing in its own words.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        dispatch({ type: 'submitted' });
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
          value={state.secret}
          onChange={(event) => dispatch({ type: 'typed', secret: event.target.value })}
          aria-invalid={missing}
          aria-describedby={missing ? `${ids.message} ${ids.hint}` : ids.hint}
        />
        <p id={ids.hint}>{texts.hint}</p>
      </div>
      {outcome && (
        <div ref={bringIntoView}>
          <SubmissionMessage id={ids.message} outcome={outcome} missing={texts.missing} after={after} />
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
