import { expect, it } from 'vitest';
import { SITE } from '#test/support/site.ts';
import { ENGLISH } from '#test/support/texts.ts';
import { DATA_ELEMENT_ID, readCarried, serializeCarried } from './carried-data.ts';

const ATTACK = '</script><script>alert(1)</script><!--';

const pageWith = (elements: Readonly<Record<string, string>>): Document =>
  ({
    getElementById: (id: string) => (id in elements ? { textContent: elements[id] } : null),
  }) as unknown as Document;

it('what a page carries survives the trip and cannot close its script element', () => {
  const data = {
    site: { ...SITE, brandName: ATTACK },
    texts: {
      language: 'en',
      sections: { notFound: { ...ENGLISH.notFound, lead: ATTACK as never } },
      restUrl: '/rest',
    },
  } as const;
  const json = serializeCarried(data);
  expect(json).not.toContain('<');
  expect(readCarried(pageWith({ [DATA_ELEMENT_ID]: json }))).toEqual(data);
});

it('a page that carries nothing is an error', () => {
  expect(() => readCarried(pageWith({}))).toThrow('carries no data');
});
