import type { CSSProperties, ReactNode } from 'react';
import type { Profile } from '../../../read-profile.ts';
import { lettersOf } from '../profile-name.ts';
import styles from './styled-name.module.css';

/** Legible in either theme: the platform adjusts the colours to its own as well. */
const inkOf = (color: string): string =>
  `light-dark(oklch(from ${color} min(l, 0.55) c h), oklch(from ${color} max(l, 0.74) c h))`;

/** In percent, where the platform has them. */
const FIRST_STOP = 10;
const LAST_STOP = 90;

const gradientOf = (colors: readonly string[]): string => {
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

/** What the platform does with the colours: a glow has become a gradient there, and three effects use only the first. */
const EFFECTS: Readonly<Partial<Record<NameStyles['effect'], string | undefined>>> = {
  glow: styles.blend,
  gradient: styles.blend,
  neon: styles.neon,
  pop: styles.pop,
  prism: styles.blend,
  toon: styles.toon,
};

type NameColors = CSSProperties & { '--ink'?: string; '--blend'?: string };

type StyledNameProps = { readonly name: string; readonly chosen: Profile['display_name_styles'] };

export const StyledName = ({ name, chosen }: StyledNameProps): ReactNode => {
  const { font = 'default', effect = 'solid', colors = [] } = chosen ?? {};
  const [one] = colors;
  if (one === undefined) return <bdi className={LETTERS[font]}>{name}</bdi>;
  const style: NameColors = { '--ink': inkOf(one), '--blend': gradientOf(colors) };
  return (
    <bdi className={[LETTERS[font], styles.color, EFFECTS[effect]].filter(Boolean).join(' ')} style={style}>
      {effect === 'gummy' ? <Letters name={name} colors={colors} /> : name}
    </bdi>
  );
};

const Letters = ({ name, colors }: { readonly name: string; readonly colors: readonly string[] }) =>
  coloredLetters(name, colors).map(({ text, color }, place) => (
    <span key={place} style={{ color: color && inkOf(color) }}>
      {text}
    </span>
  ));
