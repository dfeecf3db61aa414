/** `#rrggbb`; null for what is no colour. */
export const toColor = (value: unknown): string | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xff_ff_ff
    ? `#${value.toString(16).padStart(6, '0')}`
    : null;
