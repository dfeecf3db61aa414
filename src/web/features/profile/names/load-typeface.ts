import type { NameFont } from '#shared/name-styles.ts';

/** For names alone, so that a profile without one loads no file. */
export const loadTypeface = async (font: NameFont): Promise<void> => {
  const url = new URL(`./typefaces/${font}.woff2`, import.meta.url);
  document.fonts.add(await new FontFace(font, `url("${url.href}")`, { weight: '100 900' }).load());
};
