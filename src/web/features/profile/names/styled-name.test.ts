import { expect, it } from 'vitest';
import { coloredLetters } from './styled-name.tsx';

const COLORS = ['#e4572e', '#f3a712', '#29a36a'];

it('the letters of a name take turns with the colours, which blanks and emoji leave alone', () => {
  const letters = coloredLetters('Gu 🍬é!', COLORS);
  const shown = letters.map(({ text, color }) => `${text}${color ? COLORS.indexOf(color) : ''}`);
  expect(shown).toEqual(['G0', 'u1', ' ', '🍬', 'é2', '!0']);
});
