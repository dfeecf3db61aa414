import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { inPage } from '#test/support/texts.ts';
import { Prose } from './prose.tsx';

it.each([
  [['One.', ['Two.', 'Three.']], '<p>One.</p><ul><li>Two.</li><li>Three.</li></ul>'],
  [['[There](/status#tokens)'], '<p><a href="/de/status#tokens">There</a></p>'],
  [['[File](/status.json)'], '<p><a href="/status.json">File</a></p>'],
  [
    ['[There](https://a.example/).'],
    '<p><a href="https://a.example/" target="_blank" rel="noreferrer">There</a>.</p>',
  ],
  [['[a] (b) <c> `d'], '<p>[a] (b) &lt;c&gt; `d</p>'],
])('the text %j is written as %s', (texts, html) => {
  expect(renderToStaticMarkup(inPage(createElement(Prose, { texts }), 'de'))).toBe(html);
});
