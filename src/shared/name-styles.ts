/** By the platform's numbers, from 1. It adds new ones without notice: those that are not here are shown without any. */
export const NAME_FONTS = [
  'bangers',
  'bio_rhyme',
  'cherry_bomb',
  'chicle',
  'compagnon',
  'museo_moderno',
  'neo_castel',
  'pixelify',
  'ribes',
  'sinistre',
  'default',
  'zilla_slab',
  'playpen_sans',
  'orbitron',
  'new_rocker',
  'kalam',
] as const;
export const NAME_EFFECTS = ['solid', 'gradient', 'neon', 'toon', 'pop', 'glow', 'prism', 'gummy'] as const;

export type NameFont = (typeof NAME_FONTS)[number];
export type NameEffect = (typeof NAME_EFFECTS)[number];

/** They have an open licence; the card has their files, with Latin letters only. */
export const SERVED_FONTS: ReadonlySet<NameFont> = new Set([
  'cherry_bomb',
  'chicle',
  'kalam',
  'museo_moderno',
  'new_rocker',
  'orbitron',
  'pixelify',
  'playpen_sans',
  'zilla_slab',
]);
