/** An image of at most 256 colours: one palette index per pixel, row by row. */
export type Raster = {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  readonly pixels: Uint8Array;
};

/** Packed 0xAARRGGBB. */
export type Palette = readonly number[];

/** Frames of one size and palette; a still image has one. */
export type Film = { readonly frames: readonly [Raster, ...Raster[]]; readonly frameMs: number };

/** How strongly the drawing covers the ground at a point, 0..1; both coordinates are in pixels. */
export type Coverage = (x: number, y: number) => number;

const GROUND_STEPS = 60;
/** Four strengths of ink on sixty steps of ground make 240 colours, which leaves soft edges. */
const INK_LEVELS = 4;

const channel = (color: number, shift: number): number => (color >>> shift) & 0xff;

const mix = (from: number, to: number, share: number): number => {
  let mixed = 0;
  for (const shift of [24, 16, 8, 0]) {
    const a = channel(from, shift);
    mixed += Math.round(a + (channel(to, shift) - a) * share) * 2 ** shift;
  }
  return mixed;
};

export type Inks = {
  /** The ground runs from the first colour to the second. */
  readonly ground: readonly [number, number];
  readonly ink: readonly [number, number];
};

const paletteOf = ({ ground, ink }: Inks): Palette =>
  Array.from({ length: GROUND_STEPS * INK_LEVELS }, (_, index) => {
    const along = (index % GROUND_STEPS) / (GROUND_STEPS - 1);
    const strength = Math.floor(index / GROUND_STEPS) / (INK_LEVELS - 1);
    return mix(mix(ground[0], ground[1], along), mix(ink[0], ink[1], along), strength);
  });

/** Draws in ink over a diagonal gradient. */
export const draw = (size: { width: number; height: number }, inks: Inks, coverage: Coverage): Raster => {
  const { width, height } = size;
  const pixels = new Uint8Array(width * height);
  const lastStep = GROUND_STEPS / (width + height - 1);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const level = Math.round(coverage(x + 0.5, y + 0.5) * (INK_LEVELS - 1));
      pixels[y * width + x] = level * GROUND_STEPS + Math.floor((x + y) * lastStep);
    }
  }
  return { width, height, palette: paletteOf(inks), pixels };
};
