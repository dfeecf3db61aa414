import { expect, it } from 'vitest';
import { errorCodesAbout } from './errors.ts';

it('the errors about a topic are those whose first word it is', () => {
  expect(errorCodesAbout('visitor', 'pool')).toEqual(['pool-busy', 'pool-empty', 'visitor-limit']);
  expect(errorCodesAbout('internal')).toEqual(['internal']);
  expect(errorCodesAbout('picture')).not.toContain('pictures-busy');
  expect(errorCodesAbout()).toEqual([]);
});
