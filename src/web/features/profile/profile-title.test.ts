import { describe, expect, it } from 'vitest';
import { profileTitle } from './profile-title.ts';

describe('the title of a profile', () => {
  it.each([
    [{ display_name: 'Nelly', global_name: 'Nell', username: 'nelly' }, 'Nelly'],
    [{ display_name: '', global_name: 'Nell', username: 'nelly' }, 'Nell'],
    [{ display_name: '', global_name: null, username: 'nelly' }, 'nelly'],
    [{ display_name: '  ', global_name: '', username: 'nelly' }, 'nelly'],
  ])('of %j is %s', (names, title) => {
    expect(profileTitle(names)).toBe(title);
  });
});
