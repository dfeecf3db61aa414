import { expect, it } from 'vitest';
import { SITE } from '#test/support/site.ts';
import { ENGLISH } from '#test/support/texts.ts';
import { DATA_ELEMENT_ID, readCarried, serializeCarried } from './carried-data.ts';

const ATTACK = '</script><script>alert(1)</script><!--';

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
  const page = { getElementById: (id: string) => (id === DATA_ELEMENT_ID ? { textContent: json } : null) };
  expect(readCarried(page as unknown as Document)).toEqual(data);
});
