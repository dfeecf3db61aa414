import { describe, expect, it } from 'vitest';
import { plural, table, visible } from './output.ts';

describe('output', () => {
  it('lines up columns and leaves no blanks at the end', () => {
    expect(
      table(
        ['A', 'LONG'],
        [
          ['xyz', 1],
          ['x', null],
        ],
      ),
    ).toEqual(['A    LONG', 'xyz  1', 'x    -']);
  });

  it('does not let a name steer the terminal', () => {
    expect(visible('Snow\u001B[31m\n\u202Edrop')).toBe('Snow\uFFFD[31m\uFFFD\uFFFDdrop');
    expect(table(['N'], [['a\rb']])).toEqual(['N', 'a\uFFFDb']);
    expect(visible('Café – 雪 ❄')).toBe('Café – 雪 ❄');
  });

  it('counts', () => {
    expect([plural(0, 'id'), plural(1, 'id'), plural(2, 'id')]).toEqual(['0 ids', '1 id', '2 ids']);
  });
});
