import { expect, it } from 'vitest';
import { SITE } from '#test/support/site.ts';
import { serializeSite } from './site-settings.ts';

it('the site settings survive the trip and cannot close their script element', () => {
  const site = { ...SITE, brandName: '</script><script>alert(1)</script><!--' };
  const json = serializeSite(site);
  expect(json).not.toContain('<');
  expect(JSON.parse(json)).toEqual(site);
});
