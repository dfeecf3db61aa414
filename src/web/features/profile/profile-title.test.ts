import { describe, expect, it } from 'vitest';
import { profileTitle, spokenTitle } from './profile-title.ts';

describe('the title of a profile', () => {
  it.each([
    [{ display_name: 'Nelly', global_name: 'Nell', username: 'nelly' }, 'Nelly'],
    [{ display_name: '', global_name: 'Nell', username: 'nelly' }, 'Nell'],
    [{ display_name: '', global_name: null, username: 'nelly' }, 'nelly'],
    [{ display_name: '  ', global_name: '', username: 'nelly' }, 'nelly'],
    [{ display_name: '\u3164', global_name: '\u200b', username: 'nelly' }, 'nelly'],
    [{ display_name: '\u3164', global_name: null, username: '\u2800' }, '(invisible name)'],
  ])('of %j is %s', (names, title) => {
    expect(profileTitle(names)).toBe(title);
  });

  it('is cut between characters, not through one, where it is read out', () => {
    expect(spokenTitle('𝕎'.repeat(64))).toBe('𝕎'.repeat(64));
    expect(spokenTitle('𝕎'.repeat(5_000))).toBe(`${'𝕎'.repeat(64)}…`);
  });
});
