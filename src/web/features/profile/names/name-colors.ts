import { lettersOf } from '../profile-name.ts';

/** A colour as it may be read in either theme: the platform adjusts them to its own as well. */
export const inkOf = (color: string): string =>
  `light-dark(oklch(from ${color} min(l, 0.55) c h), oklch(from ${color} max(l, 0.74) c h))`;

const FIRST_STOP = 10;
const LAST_STOP = 90;

/** All of them in one gradient, at the places where the platform has them. */
export const gradientOf = (colors: readonly string[]): string => {
  const between = (LAST_STOP - FIRST_STOP) / Math.max(1, colors.length - 1);
  const stops = colors.map((color, place) => `${inkOf(color)} ${FIRST_STOP + place * between}%`);
  return `linear-gradient(to bottom right, ${stops.join(', ')}${stops.length === 1 ? `, ${stops[0]}` : ''})`;
};

const WITHOUT_COLOR = /^\s*$|\p{Extended_Pictographic}/u;

export type ColoredLetter = { readonly text: string; readonly color: string | undefined };

/** Each letter in the next colour. Blanks and emoji take none. */
export const coloredLetters = (name: string, colors: readonly string[]): readonly ColoredLetter[] => {
  let taken = 0;
  return lettersOf(name).map((text) => {
    if (WITHOUT_COLOR.test(text)) return { text, color: undefined };
    taken += 1;
    return { text, color: colors[(taken - 1) % colors.length] };
  });
};
