import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { inPage } from '#test/support/texts.ts';
import type { IdNote } from './id-note.ts';
import { LookupForm } from './lookup-form.tsx';

const HINT = 'Paste a user ID, a mention or a profile link.';
const ignore = (): void => undefined;

type Shown = { readonly problem?: { message: string }; readonly note?: IdNote; readonly bar?: boolean };

const render = ({ problem, note, bar = false }: Shown): string => {
  const handlers = { onFocus: ignore, onType: ignore, onSubmit: ignore };
  const fixed = { text: '', busy: false, waiting: false, submitButton: null, decoded: null, ...handlers };
  const form = createElement(LookupForm, { ...fixed, bar, problem, note });
  return renderToString(inPage(form));
};

const count = (html: string, text: string): number => html.split(text).length - 1;

describe('what the form says under its field', () => {
  it('is a hint while there is nothing else to say, but not in the bar above an answer', () => {
    expect(render({})).toContain(HINT);
    expect(render({ bar: true })).not.toContain(HINT);
  });

  it('is a note, marked where it is about a mistake', () => {
    const calm = render({ note: { text: 'A note.', wrong: false } });
    expect(calm).toContain('A note.');
    expect(calm).toContain('aria-invalid="false"');
    expect(calm).not.toContain(HINT);
    expect(render({ note: { text: 'A note.', wrong: true } })).toContain('aria-invalid="true"');
  });

  it('is a problem only, once, if there is one', () => {
    const html = render({
      problem: { message: 'It is wrong.' },
      note: { text: 'It is wrong.', wrong: true },
    });
    expect(count(html, 'It is wrong.')).toBe(1);
    expect(html).toContain('role="alert"');
    expect(html).toContain('aria-invalid="true"');
  });
});
