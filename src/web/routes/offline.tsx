import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useEnvironment, useTexts, useWindowEvent } from '../environment.ts';
import { decode } from '../features/lookup/decoded-id.tsx';
import { readIdInput } from '../features/lookup/id-field.ts';
import { noteOnId } from '../features/lookup/id-note.ts';
import { Button } from '../ui/button.tsx';
import formStyles from '../ui/form.module.css';
import { TextPage } from '../ui/text-page.tsx';
import styles from '../ui/text-page.module.css';

const useCameBack = (): boolean => {
  const [back, setBack] = useState(false);
  useWindowEvent('online', () => setBack(true));
  useWindowEvent('offline', () => setBack(false));
  return back;
};

/** What the service worker shows in place of the lookup page when there is no network. */
export const OfflineRoute = (): ReactNode => {
  const { title, lead, back } = useTexts('offline');
  const { tryAgain } = useTexts('ui');
  const cameBack = useCameBack();
  return (
    <TextPage title={title} lead={lead}>
      <Decoder />
      <div className={`row ${styles.actions}`}>
        <Button look="primary" onClick={() => location.reload()}>
          {tryAgain}
        </Button>
        <span role="status">{cameBack && back}</span>
      </div>
    </TextPage>
  );
};

const Decoder = (): ReactNode => {
  const { label } = useTexts('offline');
  const { texts } = useEnvironment();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const fieldId = useId();
  const hintId = useId();

  useEffect(() => {
    const typedBeforeStart = field.current?.value;
    // Of a link to a profile that could not be opened.
    const linked = new URLSearchParams(location.search).get('id') ?? '';
    setText(readIdInput(typedBeforeStart || linked).text);
  }, []);

  return (
    <div className={formStyles.field}>
      <label htmlFor={fieldId}>{label}</label>
      <input
        ref={field}
        id={fieldId}
        className={formStyles.input}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        placeholder={'0'.repeat(18)}
        value={text}
        onChange={(event) => setText(readIdInput(event.target.value).text)}
        aria-describedby={hintId}
      />
      <p id={hintId} className="quiet">
        {noteOnId(text, texts)?.text}
      </p>
      {decode(text)}
    </div>
  );
};
