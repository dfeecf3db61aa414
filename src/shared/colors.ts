/** The theme's colours, for places that the style sheet cannot reach. */
export const PAGE_COLORS = { light: '#f4f6fc', dark: '#0b0d18' };
export const ACCENT_COLOR = '#7289da';
