import { useEffect, type CSSProperties, type ReactNode } from 'react';
import { SERVED_FONTS } from '#shared/name-styles.ts';
import type { Profile } from '../../../read-profile.ts';
import { lettersOf } from '../profile-name.ts';
import styles from './styled-name.module.css';

/** Legible in either theme: the platform adjusts the colours to its own as well. */
export const inkOf = (color: string): string =>
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

const SERIF = "ui-serif, Georgia, 'Noto Serif', serif";
const ROUND = "ui-rounded, 'Arial Rounded MT Bold', var(--font)";
const FIXED = "ui-monospace, Consolas, 'Roboto Mono', monospace";
const HAND = "'Segoe Print', 'Bradley Hand', 'Comic Neue', cursive";

/** Until the typeface has come, and for those that we may not serve: one of its kind. */
const KINDS: Readonly<Partial<Record<NameStyles['font'], string>>> = {
  bio_rhyme: SERIF,
  cherry_bomb: ROUND,
  chicle: ROUND,
  compagnon: SERIF,
  kalam: HAND,
  museo_moderno: 'var(--font)',
  neo_castel: SERIF,
  new_rocker: SERIF,
  orbitron: FIXED,
  pixelify: FIXED,
  playpen_sans: HAND,
  ribes: SERIF,
  sinistre: SERIF,
  zilla_slab: SERIF,
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
  useEffect(() => {
    // A name is legible without.
    if (SERVED_FONTS.has(font))
      void import('./load-typeface.ts').then(({ loadTypeface }) => loadTypeface(font)).catch(() => undefined);
  }, [font]);
  const typeface: CSSProperties = KINDS[font] === undefined ? {} : { fontFamily: `${font}, ${KINDS[font]}` };
  if (one === undefined) return <bdi style={typeface}>{name}</bdi>;
  const style: NameColors = { ...typeface, '--ink': inkOf(one), '--blend': gradientOf(colors) };
  return (
    <bdi className={`${styles.color} ${EFFECTS[effect] ?? ''}`} style={style}>
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
