/** By the platform's numbers. It adds new ones without notice: those that are not here are shown without any. */
const FONTS = [
  [1, 'bangers'],
  [2, 'bio_rhyme'],
  [3, 'cherry_bomb'],
  [4, 'chicle'],
  [5, 'compagnon'],
  [6, 'museo_moderno'],
  [7, 'neo_castel'],
  [8, 'pixelify'],
  [9, 'ribes'],
  [10, 'sinistre'],
  [11, 'default'],
  [12, 'zilla_slab'],
  [13, 'playpen_sans'],
  [14, 'orbitron'],
  [15, 'new_rocker'],
  [16, 'kalam'],
] as const;

const EFFECTS = [
  [1, 'solid'],
  [2, 'gradient'],
  [3, 'neon'],
  [4, 'toon'],
  [5, 'pop'],
  [6, 'glow'],
  [7, 'prism'],
  [8, 'gummy'],
] as const;

export type NameFont = (typeof FONTS)[number][1];
export type NameEffect = (typeof EFFECTS)[number][1];

export const NAME_FONTS: readonly NameFont[] = FONTS.map(([, name]) => name);
export const NAME_EFFECTS: readonly NameEffect[] = EFFECTS.map(([, name]) => name);

export const FONT_NUMBERS: readonly number[] = FONTS.map(([number]) => number);
export const EFFECT_NUMBERS: readonly number[] = EFFECTS.map(([number]) => number);

const fontsByNumber = new Map<unknown, NameFont>(FONTS);
const effectsByNumber = new Map<unknown, NameEffect>(EFFECTS);

export const nameFont = (number: unknown): NameFont => fontsByNumber.get(number) ?? 'default';
export const nameEffect = (number: unknown): NameEffect => effectsByNumber.get(number) ?? 'solid';
