import type {
  DiscordCollectible,
  DiscordNameplate,
  DiscordNameStyles,
} from '#server/platform/wire/discord-objects.ts';
import type { CdnUrls } from '#shared/cdn-url.ts';
import type { DisplayNameStyles, Nameplate } from '#shared/contract/profile.ts';
import { nameEffect, nameFont } from '#shared/name-styles.ts';
import { isPlausibleId } from '#shared/snowflake.ts';

export const NAMEPLATE_PALETTES: readonly string[] =
  'crimson berry sky teal forest bubble_gum violet cobalt clover lemon white black'.split(' ');
const PALETTES = new Set<unknown>(NAMEPLATE_PALETTES);
const MAX_LABEL_LENGTH = 300;

/** `#rrggbb`; null if it is not a colour. */
export const toColor = (value: unknown): string | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xff_ff_ff
    ? `#${value.toString(16).padStart(6, '0')}`
    : null;

const LAST_SECOND = 8.64e12;

/** Its number in the platform's shop, and when it expires, which the platform sends in seconds. */
export const toOrigin = (collectible: DiscordCollectible | null) => {
  const { skuId, expiresAt } = collectible ?? {};
  const expires = Number.isInteger(expiresAt) && Number(expiresAt) > 0 && Number(expiresAt) <= LAST_SECOND;
  return {
    sku_id: isPlausibleId(skuId) ? skuId : null,
    expires_at: expires ? new Date(Number(expiresAt) * 1_000).toISOString() : null,
  };
};

export const toNameplate = (nameplate: DiscordNameplate | null, cdn: CdnUrls): Nameplate | null => {
  const urls = cdn.nameplate(nameplate?.asset);
  if (nameplate === null || urls === null) return null;
  const { label, palette } = nameplate;
  return {
    ...urls,
    ...toOrigin(nameplate),
    label: typeof label === 'string' && label !== '' && label.length <= MAX_LABEL_LENGTH ? label : null,
    palette: PALETTES.has(palette) ? String(palette) : null,
  };
};

const MAX_NAME_COLORS = 5;

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
