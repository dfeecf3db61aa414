import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACCENT_COLOR, PAGE_COLORS } from '#shared/colors.ts';

const readCss = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../src/web/ui', name), 'utf8');

type Theme = 'light' | 'dark';

/** Every colour of a style sheet as its hex digits, in both themes. Of two with the same name the last one holds. */
const colorsOf = (text: string) =>
  new Map(
    [...text.matchAll(/--color-([a-z-]+): (?:light-dark\(#(\w{6}), #(\w{6})\)|#(\w{6}));/g)].map(
      ([, name = '', light, dark, both]) => [name, { light: light ?? both, dark: dark ?? both }],
    ),
  );

const colors = {
  usual: colorsOf(readCss('theme.css')),
  more: colorsOf(readCss('theme.css') + readCss('more-contrast.css')),
};

const color = (name: string, theme: Theme, wanted: keyof typeof colors = 'usual'): string => {
  const hex = colors[wanted].get(name)?.[theme];
  if (hex === undefined) throw new Error(`The theme has no colour ${name}.`);
  return hex;
};

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
};

const grounds = ['page', 'glow', 'glow-cold', 'surface', 'field', 'note', 'raised'];
const texts: readonly (readonly [text: string, ground: string])[] = [
  ...['text', 'text-quiet', 'link'].flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ['on-action', 'action'],
  ['on-action', 'action-hover'],
  ['error', 'error-surface'],
  ['error', 'surface'],
  ['warning', 'warning-surface'],
  ['success', 'success-surface'],
];

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  it.each(texts)('lets %s be read on %s', (text, ground) => {
    expect(contrast(color(text, theme), color(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(grounds)('shows where a field ends and what has the focus on %s', (ground) => {
    expect(contrast(color('field-line', theme), color(ground, theme))).toBeGreaterThanOrEqual(3);
    expect(contrast(color('link', theme), color(ground, theme))).toBeGreaterThanOrEqual(3);
  });

  it('has more contrast for those who want it', () => {
    const rows = [
      ...texts.map(([text, ground]) => [text, ground, 7] as const),
      ...grounds.map((ground) => ['line', ground, 3] as const),
    ];
    for (const [text, ground, least] of rows) {
      const found = contrast(color(text, theme, 'more'), color(ground, theme, 'more'));
      expect.soft(found, `${text} on ${ground}`).toBeGreaterThanOrEqual(least);
    }
  });

  it('has the colours that code uses where the style sheet does not reach', () => {
    expect([`#${color('page', theme)}`, `#${color('accent', theme)}`]).toEqual([
      PAGE_COLORS[theme],
      ACCENT_COLOR,
    ]);
  });
});
