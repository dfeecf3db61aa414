import { useEffect, useEffectEvent, useId, useRef, type ReactNode, type Ref } from 'react';
import { idProblem } from '#shared/sentences.ts';
import type { Site } from '#shared/site.ts';
import { parseSnowflake } from '#shared/snowflake.ts';
import type { Failure } from '../../ask-server.ts';
import { useEnvironment } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import formStyles from '../../ui/form.module.css';
import styles from './lookup-form.module.css';
import { SnowflakePanel } from './snowflake-panel.tsx';

/** The second half of a double press, which the answer to the first may have overtaken. */
const DOUBLE_PRESS_MS = 700;

type LookupFormProps = {
  readonly text: string;
  readonly busy: boolean;
  /** What is wrong with the text, and the id of the element that says so. */
  readonly problem: Failure | undefined;
  readonly problemId: string;
  readonly submitButton: Ref<HTMLButtonElement>;
  /** Whether what was just submitted may be submitted again at once: the visitor called it off. */
  readonly mayRepeat: boolean;
  /** The visitor is about to use the form. */
  readonly onFocus: () => void;
  readonly onType: (text: string) => void;
  /** With what stands in the field, which may be more than the page has heard of. */
  readonly onSubmit: (typed: string) => void;
};

export const LookupForm = (props: LookupFormProps): ReactNode => {
  const { text, busy, problem, problemId, onType } = props;
  const { platformName, sampleIds } = useEnvironment().site;
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const lastPress = useRef({ typed: '', atMs: -Infinity });
  const fieldId = useId();
  const hintId = useId();
  const parsed = parseSnowflake(text, Date.now());
  const mistake =
    parsed.ok || parsed.problem === 'missing' ? undefined : idProblem(parsed.problem, platformName);
  // What the problem below the form says already is not said twice.
  const hint = mistake === problem?.message ? undefined : mistake;

  const typed = useEffectEvent(onType);
  useEffect(() => {
    // From here on the page says in its own words what is wrong; until then the browser does.
    if (form.current) form.current.noValidate = true;
    const typedBeforeStart = field.current?.value;
    if (typedBeforeStart) typed(typedBeforeStart);
  }, []);

  useEffect(() => {
    if (problem !== undefined) field.current?.focus();
  }, [problem]);

  return (
    <form
      ref={form}
      className={styles.form}
      onFocus={props.onFocus}
      onKeyDown={(event) => {
        // A key that is held down presses again and again.
        if (event.repeat && event.key === 'Enter') event.preventDefault();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        const typed = field.current?.value ?? '';
        const last = lastPress.current;
        const atMs = event.timeStamp;
        if (!props.mayRepeat && typed === last.typed && atMs - last.atMs < DOUBLE_PRESS_MS) return;
        lastPress.current = { typed, atMs };
        // A field that keeps the focus keeps the keyboard of a phone open, over the result.
        if (matchMedia('(pointer: coarse)').matches) event.nativeEvent.submitter?.focus();
        props.onSubmit(typed);
      }}
    >
      <label htmlFor={fieldId}>{platformName} ID</label>
      <div className={styles.row}>
        <input
          ref={field}
          id={fieldId}
          className={`${formStyles.input} ${styles.field}`}
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
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? hintId : `${problemId} ${hintId}`}
        />
        <Button ref={props.submitButton} type="submit" look="primary" busy={busy}>
          {busy ? 'Looking up…' : 'Lookup'}
        </Button>
      </div>
      <p id={hintId} className={styles.hint}>
        {hint ?? 'An ID, a mention or a link to a profile.'}
      </p>
      <SnowflakePanel id={parsed.ok ? parsed.id : undefined} />
      <SampleIds
        samples={sampleIds}
        onPick={(id) => {
          onType(id);
          field.current?.focus();
        }}
      />
    </form>
  );
};

type SampleIdsProps = { readonly samples: Site['sampleIds']; readonly onPick: (id: string) => void };

const SampleIds = ({ samples, onPick }: SampleIdsProps): ReactNode =>
  samples.length > 0 && (
    <details className={styles.samples}>
      <summary>Sample IDs to try</summary>
      <div className={styles.list}>
        {samples.map(({ id, label }) => (
          <button key={id} type="button" className={styles.sample} title={id} onClick={() => onPick(id)}>
            {label}
          </button>
        ))}
      </div>
    </details>
  );
