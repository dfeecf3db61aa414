import { useState, type ReactNode } from 'react';
import { useEnvironment, useLocalPath, useTexts } from '../environment.ts';
import { readIdInput, useIdField } from '../features/lookup/id-field.ts';
import { noteOnId, submitId } from '../features/lookup/id-note.ts';
import { LookupForm } from '../features/lookup/lookup-form.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const NotFoundRoute = (): ReactNode => {
  const { texts } = useEnvironment();
  const { tokenReset } = useTexts('answer');
  const { backToLookup } = useTexts('ui');
  const localPath = useLocalPath();
  const field = useIdField();
  const [problem, setProblem] = useState<{ readonly message: string }>();

  const open = (typed: string): void => {
    const submission = submitId(readIdInput(typed).text, texts);
    if (submission.type === 'submitted') location.assign(localPath(`/?id=${submission.input}`));
    else setProblem(submission);
  };

  return (
    <TextPage {...useTexts('notFound')}>
      <LookupForm
        text={field.text}
        problem={problem}
        note={field.tokenSeen ? { text: tokenReset, wrong: true } : noteOnId(field.text, texts)}
        onType={(typed) => {
          field.type(typed);
          setProblem(undefined);
        }}
        onSubmit={open}
      />
      <div>
        <ButtonLink href="/">{backToLookup}</ButtonLink>
      </div>
    </TextPage>
  );
};
