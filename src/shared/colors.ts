/** The theme's colours, for places that the style sheet cannot reach. */
export const PAGE_COLORS = { light: '#f4f6fc', dark: '#0b0d18' };
export const ACCENT_COLOR = '#7289da';

/** What lies behind the picture of a nameplate: the colour in a light theme, and in a dark one. */
export const NAMEPLATE_PALETTES: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  crimson: ['#e7040f', '#900007'],
  berry: ['#b11fcf', '#893a99'],
  sky: ['#56ccff', '#0080b7'],
  teal: ['#7deed7', '#086460'],
  forest: ['#6aa624', '#2d5401'],
  bubble_gum: ['#f957b3', '#dc3e97'],
  violet: ['#972fed', '#730bc8'],
  cobalt: ['#4278ff', '#0131c2'],
  clover: ['#63cd5a', '#047b20'],
  lemon: ['#fed400', '#f6cd12'],
  white: ['#fff', '#fff'],
  black: ['#000', '#000'],
};
