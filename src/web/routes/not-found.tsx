import { useState, type ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { readIdInput, useIdField } from '../features/lookup/id-field.ts';
import { noteOnId, submitId } from '../features/lookup/id-note.ts';
import { LookupForm } from '../features/lookup/lookup-form.tsx';
import { tokenSeen } from '../texts/lookup/flow.ts';
import { BACK, notFound } from '../texts/pages/not-found.ts';
import { ButtonLink } from '../ui/button.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const NotFoundRoute = (): ReactNode => {
  const { platformName } = useEnvironment().site;
  const field = useIdField();
  const [problem, setProblem] = useState<{ readonly message: string }>();

  const open = (typed: string): void => {
    const submission = submitId(readIdInput(typed).text, platformName);
    if (submission.type === 'submitted') location.assign(`/?id=${submission.input}`);
    else setProblem(submission);
  };

  return (
    <TextPage {...notFound}>
      <LookupForm
        text={field.text}
        bar={false}
        busy={false}
        waiting={false}
        problem={problem}
        note={field.tokenSeen ? { text: tokenSeen.reset, wrong: true } : noteOnId(field.text, platformName)}
        submitButton={null}
        onFocus={() => undefined}
        onType={(typed) => {
          field.type(typed);
          setProblem(undefined);
        }}
        onSubmit={open}
        decoded={undefined}
      />
      <div>
        <ButtonLink href="/">{BACK}</ButtonLink>
      </div>
    </TextPage>
  );
};
