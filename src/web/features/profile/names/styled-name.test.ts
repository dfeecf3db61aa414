import { expect, it } from 'vitest';
import { coloredLetters, gradientOf, inkOf } from './styled-name.tsx';

const FIVE = ['#e4572e', '#f3a712', '#29a36a', '#1f7a8c', '#9b5de5'];

it.each([
  [FIVE, [10, 30, 50, 70, 90]],
  [FIVE.slice(0, 2), [10, 90]],
])('the gradient of a name goes through %j at %j percent', (colors, places) => {
  const stops = colors.map((color, index) => `${inkOf(color)} ${places[index]}%`);
  expect(gradientOf(colors)).toBe(`linear-gradient(to bottom right, ${stops.join(', ')})`);
});

it('the letters of a name take turns with the colours, which blanks and emoji leave alone', () => {
  const letters = coloredLetters('Gu 🍬é!', FIVE.slice(0, 3));
  const shown = letters.map(({ text, color }) => `${text}${color ? FIVE.indexOf(color) : ''}`);
  expect(shown).toEqual(['G0', 'u1', ' ', '🍬', 'é2', '!0']);
});
