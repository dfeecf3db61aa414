import { expect, test } from '../support/browser-test.ts';
import { findProfile, ids } from '../support/lookup-page.ts';

type Contrasts = { readonly button: number; readonly tile: number };

/** Runs in the page: the worst contrast that the card has with any of the colours, of its button and of its tiles. */
const worstContrasts = (colors: readonly string[]): Contrasts => {
  const find = (selector: string): Element => {
    const element = document.querySelector(`article ${selector}`);
    if (element === null) throw new Error(`There is no ${selector}.`);
    return element;
  };
  const [button, tile, name] = [find('button[class*=primary]'), find('dl > div'), find('dl > div > dt')];
  // The style of every element that is left is computed for every colour.
  for (const element of document.querySelectorAll<HTMLElement>('article *')) {
    element.style.transition = 'none';
    if (![button, tile, name].some((kept) => element.contains(kept))) element.remove();
  }
  // All are read at once: each time takes longer than the rest.
  const pen = new OffscreenCanvas(4, colors.length).getContext('2d', { willReadFrequently: true })!;
  for (const [row, color] of colors.entries()) {
    document.querySelector('article')?.style.setProperty('--tint', color);
    const { backgroundColor, color: letters } = getComputedStyle(button);
    const pair = [getComputedStyle(tile).backgroundColor, getComputedStyle(name).color];
    for (const [column, painted] of [backgroundColor, letters, ...pair].entries()) {
      pen.fillStyle = painted;
      pen.fillRect(column, row, 1, 1);
    }
  }
  const { data } = pen.getImageData(0, 0, 4, colors.length);
  /** Relative luminance, as WCAG defines it. */
  const luminance = (pixel: number): number => {
    const [red = 0, green = 0, blue = 0] = [...data.subarray(pixel * 4, pixel * 4 + 3)].map((byte) =>
      byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const worst = (column: number): number =>
    Math.min(
      ...colors.map((_, row) => {
        const pair = [luminance(row * 4 + column), luminance(row * 4 + column + 1)];
        return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
      }),
    );
  return { button: worst(0), tile: worst(2) };
};

/** A thousand, all over the cube: ten steps of each of red, green and blue. */
const COLORS = Array.from({ length: 1_000 }, (_, index) => {
  const steps = [Math.floor(index / 100), Math.floor(index / 10) % 10, index % 10];
  return `#${steps
    .map((step) =>
      Math.round((step * 255) / 9)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
});

test("whatever a person's colour is, the card can be read, in light and in dark", async ({ page }) => {
  await findProfile(page, ids.ordinary);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const worst = await page.evaluate(worstContrasts, COLORS);
    expect.soft(worst.button, colorScheme).toBeGreaterThan(4.5);
    expect.soft(worst.tile, colorScheme).toBeGreaterThan(4.5);
  }
});
