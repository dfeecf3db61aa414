import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Site } from '#shared/site.ts';
import { failureOf, type Failure } from '../../ask-server.ts';
import { EnvironmentContext, windowBrowser } from '../../environment.ts';
import { LookupForm } from './lookup-form.tsx';

const MALFORMED = 'A Discord ID consists of digits only. Paste the ID, a mention or a link to the profile.';
const HINT = 'An ID, a mention or a link to a profile.';
const site = { platformName: 'Discord', sampleIds: [] as Site['sampleIds'] } as Site;
const ignore = (): void => undefined;

const render = (text: string, problem?: Failure): string => {
  const handlers = { onFocus: ignore, onType: ignore, onSubmit: ignore };
  const fixed = { busy: false, problemId: 'problem', submitButton: null, mayRepeat: false, ...handlers };
  const form = createElement(LookupForm, { ...fixed, text, problem });
  return renderToString(createElement(EnvironmentContext, { value: { site, browser: windowBrowser } }, form));
};

describe('the hint of the id field', () => {
  it('says what an id may look like, and what is wrong with what is typed', () => {
    expect(render('')).toContain(HINT);
    expect(render('somebody')).toContain(MALFORMED);
  });

  it('does not repeat what the failure below the form says', () => {
    const html = render('somebody', failureOf('id-malformed', MALFORMED));
    expect(html).not.toContain(MALFORMED);
    expect(html).toContain(HINT);
  });

  it('still says what is wrong with something else that is typed after a failure', () => {
    expect(render('0', failureOf('id-malformed', MALFORMED))).toContain('Zero is not a Discord ID.');
  });
});
