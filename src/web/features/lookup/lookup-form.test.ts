import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { inPage } from '#test/support/texts.ts';
import type { IdNote } from './id-note.ts';
import { LookupForm } from './lookup-form.tsx';

const HINT = 'Paste a user ID, a mention or a profile link.';
const ignore = (): void => undefined;

const render = (shown: { readonly note?: IdNote; readonly bar?: boolean } = {}): string => {
  const form = { text: '', problem: undefined, note: undefined, onType: ignore, onSubmit: ignore, ...shown };
  return renderToString(inPage(createElement(LookupForm, form)));
};

it('the form says a hint while there is nothing else to say, but not in the bar above an answer', () => {
  expect(render()).toContain(HINT);
  expect(render({ bar: true })).not.toContain(HINT);
});

it('the form says a note in its place, marked where it is about a mistake', () => {
  const calm = render({ note: { text: 'A note.', wrong: false } });
  expect(calm).toContain('A note.');
  expect(calm).toContain('aria-invalid="false"');
  expect(calm).not.toContain(HINT);
  expect(render({ note: { text: 'A note.', wrong: true } })).toContain('aria-invalid="true"');
});
