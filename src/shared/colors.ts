/** Colours of the theme, for where its style sheet does not reach. */
export const PAGE_COLORS = { light: '#f4f6fc', dark: '#0b0d18' };
export const ACCENT_COLOR = '#7289da';
