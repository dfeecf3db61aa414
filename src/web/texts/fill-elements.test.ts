import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { fillElements } from './fill-elements.ts';

it('elements stand where the text has their names, in any order', () => {
  const values = { id: '1', time: createElement('time', null, '<now>') };
  expect(renderToStaticMarkup(fillElements('Created {time}: {id}.', values))).toBe(
    'Created <time>&lt;now&gt;</time>: 1.',
  );
  expect(renderToStaticMarkup(fillElements('{id}、{time}' as string as 'Of {id}, {time}', values))).toBe(
    '1、<time>&lt;now&gt;</time>',
  );
});
