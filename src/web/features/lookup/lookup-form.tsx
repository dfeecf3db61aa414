import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { Site } from '#shared/site.ts';
import { Button } from '../../ui/button.tsx';
import type { LookupFailure } from './look-up.ts';
import styles from './lookup-form.module.css';

type LookupFormProps = {
  readonly site: Site;
  readonly busy: boolean;
  /** What is wrong with the input, and the id of the element that says so. */
  readonly problem: LookupFailure | undefined;
  readonly problemId: string;
  /** The visitor is about to use the form. */
  readonly onFocus: () => void;
  readonly onSubmit: (input: string) => void;
};

export const LookupForm = ({
  site,
  busy,
  problem,
  problemId,
  onFocus,
  onSubmit,
}: LookupFormProps): ReactNode => {
  const [input, setInput] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const fieldId = useId();

  useEffect(() => {
    if (problem !== undefined) field.current?.focus();
  }, [problem]);

  return (
    <form
      className={styles.form}
      // The page says what is missing in its own words.
      noValidate
      onFocus={onFocus}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit(input);
      }}
    >
      <label htmlFor={fieldId}>{site.platformName} ID</label>
      <div className={styles.row}>
        <input
          ref={field}
          id={fieldId}
          className={styles.field}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          spellCheck={false}
          required
          placeholder={'0'.repeat(18)}
          value={input}
          onChange={(event) => setInput(event.target.value)}
          aria-invalid={problem !== undefined}
          aria-describedby={problem && problemId}
        />
        <Button type="submit" look="primary" busy={busy}>
          {busy ? 'Looking up…' : 'Lookup'}
        </Button>
      </div>
      <SampleIds
        samples={site.sampleIds}
        onPick={(id) => {
          setInput(id);
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
      <div className={styles.sampleList}>
        {samples.map(({ id, label }) => (
          <button key={id} type="button" className={styles.sample} title={id} onClick={() => onPick(id)}>
            {label}
          </button>
        ))}
      </div>
    </details>
  );
