import type { CSSProperties } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import styles from './name-style.module.css';

type NameStyles = NonNullable<Profile['display_name_styles']>;

/** The platform's own typefaces are not ours to serve: each is told by the kind of letter it has. */
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

/** How a display name is written. Its colours are brought to where they can be read in either theme. */
export const nameLook = (chosen: Profile['display_name_styles']) => {
  if (!chosen) return undefined;
  const [one, two = one] = chosen.colors;
  const colors: NameColors = one === undefined ? {} : { '--one': one, '--two': two };
  const parts = [LETTERS[chosen.font], ...(one === undefined ? [] : [styles.color, EFFECTS[chosen.effect]])];
  return { className: parts.filter(Boolean).join(' '), style: colors };
};
