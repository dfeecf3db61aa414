import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { Failure } from '../../ask-server.ts';
import { isBusy, problemOf, type ProvedRequest, type Submission } from '../../proved-request.ts';
import { useWait } from '../../use-wait.ts';
import { useTexts } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import styles from '../../ui/form.module.css';
import { Notice } from '../../ui/notice.tsx';
import { WaitRing } from '../../ui/wait.tsx';

export type Accepted = {
  readonly kind: 'accepted';
  readonly message: string;
  readonly receipt?: string;
  /** It came after its form was closed. */
  readonly late?: boolean;
};

type SecretFormProps = {
  readonly request: ProvedRequest<Accepted>;
  readonly check: (input: string) => Submission;
  readonly texts: Readonly<Record<'label' | 'placeholder' | 'hint' | 'submit' | 'busy', string>>;
  readonly warning?: ReactNode;
  readonly onCancel?: () => void;
  readonly children?: ReactNode;
};

/** That it was already done is not bad news. */
export const toneOf = (answer: Accepted | Failure): 'error' | 'success' =>
  answer.kind === 'failed' && answer.cause !== 'token-known' ? 'error' : 'success';

const isAboutInput = ({ cause }: Failure): boolean =>
  /^(?:token|withdrawal)-/.test(cause) && cause !== 'token-known';

/** On a small screen the message may appear below the edge. */
const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** The answer, as long as it applies: it goes away when the field is edited, but not while it counts down. */
const useAnswer = ({ state, answer: accepted, failure }: ProvedRequest<Accepted>) => {
  const problem = problemOf(state);
  const current = problem ?? accepted ?? failure;
  const [edited, setEdited] = useState(current);
  const wait = useWait(failure);
  const answer = edited === current && wait.left === 0 ? undefined : current;
  return {
    answer,
    wait,
    busy: isBusy(state),
    // The server may refuse as well, but after a while: by then the visitor may be elsewhere.
    refused: problem !== undefined && problem !== failure,
    edit: () => setEdited(current),
  };
};

export const SecretForm = (props: SecretFormProps): ReactNode => {
  const { request, check, texts, warning, onCancel, children } = props;
  const { state, dispatch } = request;
  const { cancel } = useTexts('ui');
  // The text stays with the field: what is typed before the page is interactive must not be lost.
  const field = useRef<HTMLInputElement>(null);
  const ids = { field: useId(), hint: useId(), message: useId() };
  const { answer, wait, busy, refused, edit } = useAnswer(request);
  const invalid = answer?.kind === 'failed' && isAboutInput(answer);
  const accepted = answer?.kind === 'accepted';

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
        dispatch(check(field.current?.value.trim() ?? ''));
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
          onInput={edit}
          aria-invalid={invalid}
          aria-describedby={invalid ? `${ids.message} ${ids.hint}` : ids.hint}
        />
        <p id={ids.hint} className="quiet">
          {texts.hint}
        </p>
      </div>
      {warning && <p>{warning}</p>}
      <div className={styles.answer}>
        {answer && (
          <div ref={bringIntoView}>
            <Notice tone={toneOf(answer)} id={ids.message}>
              <p>{answer.message}</p>
            </Notice>
          </div>
        )}
      </div>
      <div className={`row ${styles.actions}`}>
        {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
        <Button type="submit" look="primary" busy={busy || wait.left > 0}>
          <WaitRing {...wait} />
          {busy ? texts.busy : texts.submit}
        </Button>
      </div>
    </form>
  );
};
