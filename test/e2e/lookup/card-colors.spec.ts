import { expect, test } from '../support/browser-test.ts';
import { card, findProfile, ids } from '../support/lookup-page.ts';

/** Runs in the page: the worst contrast that the card has with any of the colours, of its button and of its tiles. */
const worstContrasts = (colors: readonly string[]): { readonly button: number; readonly tile: number } => {
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  /** Relative luminance, as WCAG defines it. */
  const luminance = (color: string): number => {
    if (pen === null) return Number.NaN;
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((byte) =>
      byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one: string, other: string): number => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const worst = { button: 21, tile: 21 };
  const find = (selector: string): Element => {
    const element = document.querySelector(`article ${selector}`);
    if (element === null) throw new Error(`There is no ${selector}.`);
    return element;
  };
  const [button, tile, name] = [find('button[class*=primary]'), find('dl > div'), find('dl > div > dt')];
  for (const color of colors) {
    document.querySelector('article')?.style.setProperty('--tint', color);
    const { backgroundColor, color: letters } = getComputedStyle(button);
    worst.button = Math.min(worst.button, contrast(backgroundColor, letters));
    const behind = getComputedStyle(tile).backgroundColor;
    worst.tile = Math.min(worst.tile, contrast(behind, getComputedStyle(name).color));
  }
  return worst;
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

for (const colorScheme of ['light', 'dark'] as const)
  test(`whatever a person's colour is, the card can be read: ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await findProfile(page, ids.ordinary);
    await card(page).evaluate((article) => {
      for (const element of article.querySelectorAll<HTMLElement>('*')) element.style.transition = 'none';
    });
    const worst = await page.evaluate(worstContrasts, COLORS);
    expect(worst.button).toBeGreaterThan(4.5);
    expect(worst.tile).toBeGreaterThan(4.5);
  });
