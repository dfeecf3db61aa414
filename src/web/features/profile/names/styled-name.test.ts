import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#test/support/any-text.ts';
import { coloredLetters, gradientOf, inkOf } from './styled-name.tsx';

const FIVE = ['#e4572e', '#f3a712', '#29a36a', '#1f7a8c', '#9b5de5'];

describe('the gradient of a name', () => {
  it('has all five colours, where the platform has them', () => {
    const stops = FIVE.map((color, place) => `${inkOf(color)} ${[10, 30, 50, 70, 90][place]}%`);
    expect(gradientOf(FIVE)).toBe(`linear-gradient(to bottom right, ${stops.join(', ')})`);
  });

  it('goes from the first of two to the second, and one colour is everywhere', () => {
    expect(gradientOf(FIVE.slice(0, 2))).toContain(`${inkOf('#e4572e')} 10%, ${inkOf('#f3a712')} 90%`);
    expect(gradientOf(FIVE.slice(0, 1))).toContain(`${inkOf('#e4572e')} 10%, ${inkOf('#e4572e')} 10%`);
  });
});

describe('the letters of a name', () => {
  it('take turns with the colours, which blanks and emoji leave alone', () => {
    expect(coloredLetters('Gu 🍬é!', FIVE.slice(0, 3))).toEqual([
      { text: 'G', color: FIVE[0] },
      { text: 'u', color: FIVE[1] },
      { text: ' ', color: undefined },
      { text: '🍬', color: undefined },
      { text: 'é', color: FIVE[2] },
      { text: '!', color: FIVE[0] },
    ]);
  });

  it('are all of the name, in its order', () => {
    fc.assert(
      fc.property(anyText, fc.subarray(FIVE, { minLength: 1 }), (name, colors) => {
        const letters = coloredLetters(name, colors).map(({ text }) => text);
        expect(letters.join('')).toBe(name);
      }),
    );
  });
});
