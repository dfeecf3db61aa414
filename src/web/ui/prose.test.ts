import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { inPage } from '#test/support/texts.ts';
import { Prose } from './prose.tsx';

const render = (...texts: (string | string[])[]): string =>
  renderToStaticMarkup(inPage(createElement(Prose, { texts })));

describe('prose', () => {
  it('makes paragraphs and lists', () => {
    expect(render('One.', ['Two.', 'Three.'])).toBe('<p>One.</p><ul><li>Two.</li><li>Three.</li></ul>');
  });

  it('makes links and code where the text says so', () => {
    expect(render('See [the status](/status), or `GET /status.json`.')).toMatch(
      /^<p>See <a href="\/status">the status<\/a>, or <code class="[^"]*" dir="ltr">GET \/status\.json<\/code>\.<\/p>$/,
    );
  });

  it('leads to the pages in the language of this one, and to files where they are', () => {
    const texts = ['[Status](/status#tokens) and [JSON](/status.json)'];
    const html = renderToStaticMarkup(inPage(createElement(Prose, { texts }), 'de'));
    expect(html).toBe('<p><a href="/de/status#tokens">Status</a> and <a href="/status.json">JSON</a></p>');
  });

  it('opens other sites in a tab that knows nothing of this one', () => {
    expect(render('[There](https://example.org/).')).toBe(
      '<p><a href="https://example.org/" target="_blank" rel="noreferrer">There</a>.</p>',
    );
  });

  it('leaves everything else as it is', () => {
    expect(render('[a] (b) <c> `d')).toBe('<p>[a] (b) &lt;c&gt; `d</p>');
  });
});
