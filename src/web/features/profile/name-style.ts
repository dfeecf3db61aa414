import type { CSSProperties } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import styles from './name-style.module.css';

type NameStyles = NonNullable<Profile['display_name_styles']>;

/** We may not serve the platform's own typefaces: each is replaced by one of its kind. */
const LETTERS: Readonly<Partial<Record<NameStyles['font'], string | undefined>>> = {
  bio_rhyme: styles.serif,
  cherry_bomb: styles.round,
  chicle: styles.round,
  compagnon: styles.serif,
  kalam: styles.hand,
  neo_castel: styles.serif,
  new_rocker: styles.serif,
  orbitron: styles.fixed,
  pixelify: styles.fixed,
  playpen_sans: styles.hand,
  ribes: styles.serif,
  sinistre: styles.serif,
  zilla_slab: styles.serif,
};

const EFFECTS: Readonly<Partial<Record<NameStyles['effect'], string | undefined>>> = {
  glow: styles.light,
  gradient: styles.blend,
  gummy: styles.blend,
  neon: styles.light,
  pop: styles.shade,
  prism: styles.blend,
  toon: styles.shade,
};

type NameColors = CSSProperties & { '--one'?: string | undefined; '--two'?: string | undefined };

/** The class and colours of a display name. The style sheet makes the colours legible in either theme. */
export const nameLook = (chosen: Profile['display_name_styles']) => {
  if (!chosen) return undefined;
  const [one, two = one] = chosen.colors;
  const colors: NameColors = one === undefined ? {} : { '--one': one, '--two': two };
  const parts = [LETTERS[chosen.font], ...(one === undefined ? [] : [styles.color, EFFECTS[chosen.effect]])];
  return { className: parts.filter(Boolean).join(' '), style: colors };
};
