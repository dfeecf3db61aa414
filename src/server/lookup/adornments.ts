import type { DiscordNameplate, DiscordNameStyles } from '#server/platform/discord-objects.ts';
import type { CdnUrls } from '#shared/cdn-url.ts';
import type { DisplayNameStyles, Nameplate } from '#shared/contract/profile.ts';
import { nameEffect, nameFont } from '#shared/name-styles.ts';

const PALETTES = new Set<unknown>(
  'crimson berry sky teal forest bubble_gum violet cobalt clover lemon white black'.split(' '),
);
const MAX_LABEL_LENGTH = 100;

/** `#rrggbb`; null for what is no colour. */
export const toColor = (value: unknown): string | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xff_ff_ff
    ? `#${value.toString(16).padStart(6, '0')}`
    : null;

export const toNameplate = (nameplate: DiscordNameplate | null, cdn: CdnUrls): Nameplate | null => {
  const urls = cdn.nameplate(nameplate?.asset);
  if (nameplate === null || urls === null) return null;
  const { label, palette } = nameplate;
  return {
    ...urls,
    label: typeof label === 'string' && label !== '' && label.length <= MAX_LABEL_LENGTH ? label : null,
    palette: PALETTES.has(palette) ? String(palette) : null,
  };
};

/** The platform's own styles have at most four. */
const MAX_NAME_COLORS = 4;

/** Null for a style that would change nothing. */
export const toNameStyles = (styles: DiscordNameStyles | null): DisplayNameStyles | null => {
  if (styles === null) return null;
  const [font, effect] = [nameFont(styles.font), nameEffect(styles.effect)];
  const colors = styles.colors
    .map(toColor)
    .filter((color) => color !== null)
    .slice(0, MAX_NAME_COLORS);
  return font === 'default' && effect === 'solid' && colors.length === 0 ? null : { font, effect, colors };
};
