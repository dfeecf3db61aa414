import { lettersOf } from '../profile-name.ts';

/** Legible in either theme: the platform adjusts the colours to its own as well. */
export const inkOf = (color: string): string =>
  `light-dark(oklch(from ${color} min(l, 0.55) c h), oklch(from ${color} max(l, 0.74) c h))`;

/** In percent, where the platform has them. */
const FIRST_STOP = 10;
const LAST_STOP = 90;

export const gradientOf = (colors: readonly string[]): string => {
  const between = (LAST_STOP - FIRST_STOP) / Math.max(1, colors.length - 1);
  const stops = colors.map((color, place) => `${inkOf(color)} ${FIRST_STOP + place * between}%`);
  return `linear-gradient(to bottom right, ${stops.join(', ')}${stops.length === 1 ? `, ${stops[0]}` : ''})`;
};

const WITHOUT_COLOR = /^\s*$|\p{Extended_Pictographic}/u;

export const coloredLetters = (name: string, colors: readonly string[]) => {
  let taken = 0;
  return lettersOf(name).map((text) => {
    if (WITHOUT_COLOR.test(text)) return { text, color: undefined };
    taken += 1;
    return { text, color: colors[(taken - 1) % colors.length] };
  });
};
