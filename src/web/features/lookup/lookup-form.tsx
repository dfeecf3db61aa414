import { useEffect, useEffectEvent, useId, useRef, type ReactNode, type Ref } from 'react';
import { useLocalPath, useTexts, useWindowEvent } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import type { IdNote } from './id-note.ts';
import styles from './lookup-form.module.css';

type LookupFormProps = {
  readonly text: string;
  /** Above an answer. */
  readonly bar?: boolean;
  readonly busy?: boolean;
  readonly waiting?: boolean;
  readonly problem: { readonly message: string } | undefined;
  readonly note: IdNote | undefined;
  readonly submitButton?: Ref<HTMLButtonElement>;
  readonly onFocus?: () => void;
  readonly onLeave?: () => void;
  readonly onType: (text: string) => void;
  /** With the field's text, which may be newer than the last `onType`. */
  readonly onSubmit: (typed: string, atMs: number) => void;
  readonly decoded?: ReactNode;
};

export const LookupForm = (props: LookupFormProps): ReactNode => {
  const { text, bar = false, busy = false, waiting = false, problem, note, onType, onFocus } = props;
  const texts = useTexts('lookup');
  const home = useLocalPath()('/');
  const field = useRef<HTMLInputElement>(null);
  const fieldId = useId();
  const noteId = useId();

  const start = useEffectEvent((input: HTMLInputElement) => {
    // From here on the page says in its own words what is wrong; until then the browser does.
    if (input.form) input.form.noValidate = true;
    // Some may have begun to type before this code had come.
    if (input.value !== text) onType(input.value);
    if (document.activeElement === input) onFocus?.();
  });
  useEffect(() => {
    if (field.current) start(field.current);
  }, []);

  useSlashKey(field);
  useEffect(() => {
    if (problem !== undefined) field.current?.focus();
  }, [problem]);

  const submit = (event: SubmitEvent): void => {
    // A field that keeps the focus keeps the keyboard of a phone open, over the result.
    if (matchMedia('(pointer: coarse)').matches) event.submitter?.focus();
    props.onSubmit(field.current?.value ?? '', event.timeStamp);
  };

  return (
    <form
      // For the page of an unknown address, until its code has loaded.
      action={home}
      className={bar ? styles.bar : styles.form}
      onFocus={onFocus}
      onKeyDown={(event) => {
        // A key that is held down presses again and again.
        if (event.repeat && event.key === 'Enter') event.preventDefault();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) submit(event.nativeEvent);
      }}
    >
      <label htmlFor={fieldId} className={bar ? 'hidden' : undefined}>
        {texts.fieldLabel}
      </label>
      <div className={styles.box}>
        <input
          ref={field}
          id={fieldId}
          name="id"
          type="text"
          inputMode="numeric"
          autoComplete="off"
          spellCheck={false}
          required
          // Without scripts the form goes to /?id=…, and a secret pasted by mistake must not.
          pattern="\s*[0-9]+\s*"
          placeholder={'0'.repeat(18)}
          value={text}
          onChange={(event) => onType(event.target.value)}
          onBlur={props.onLeave}
          aria-invalid={problem !== undefined || note?.wrong === true}
          aria-describedby={`${noteId} ${noteId}-hint`}
        />
        <Button ref={props.submitButton} type="submit" look="primary" busy={busy || waiting}>
          {busy ? texts.busy : texts.submit}
        </Button>
      </div>
      <Notes {...props} id={noteId} />
    </form>
  );
};

type NotesProps = Pick<LookupFormProps, 'bar' | 'problem' | 'note' | 'decoded'> & { readonly id: string };

const Notes = ({ id, bar, problem, note, decoded }: NotesProps): ReactNode => {
  const texts = useTexts('lookup');
  const said = problem ? { text: problem.message, wrong: true } : note;
  return (
    <div className={styles.notes}>
      {!said && !bar && !decoded && <p id={`${id}-hint`}>{texts.fieldHint}</p>}
      {/* Without the hint, which comes and goes while somebody types: this is announced. */}
      <p
        key={problem ? 'problem' : 'note'}
        id={id}
        role={problem ? 'alert' : 'status'}
        className={said?.wrong ? styles.wrong : undefined}
      >
        {said?.text}
      </p>
      {decoded}
      <FindId hidden={bar || Boolean(decoded)} />
      <noscript>{import.meta.env.SSR && <p>{texts.noScript}</p>}</noscript>
    </div>
  );
};

const FindId = ({ hidden }: { readonly hidden: boolean }): ReactNode => {
  const { title, texts } = useTexts('findId');
  const [first, ways, ...more] = texts;
  return (
    <details className={`quiet ${styles.find}`} hidden={hidden}>
      <summary className="target">{title}</summary>
      <p>{first}</p>
      <ul>
        {ways.map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ul>
      {more.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </details>
  );
};

const useSlashKey = (field: { readonly current: HTMLInputElement | null }): void => {
  useWindowEvent('keydown', (event) => {
    const writing =
      event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || writing) return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
  });
};
