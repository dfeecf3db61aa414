import { lettersOf } from '../profile-name.ts';

export type Pen = CanvasRenderingContext2D;
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

export const pageFont = (): string => getComputedStyle(document.body).fontFamily;

const fromRight = (pen: Pen): boolean => pen.direction === 'rtl';

/** Pixels of the image for each unit in which it is drawn. */
export const SCALE = 2;

/** In a language that is written from the right, everything is on the other side. */
export const placed = (pen: Pen, x: number, width = 0): number =>
  fromRight(pen) ? pen.canvas.width / SCALE - x - width : x;

export const gradientColors = (element: Element | null): readonly string[] =>
  (element && getComputedStyle(element).backgroundImage.match(/[a-z]+\([^()]*\)/g)) ?? [];

/** Like `object-fit: cover`. */
export const drawCovering = (pen: Pen, image: HTMLImageElement, { x, y, width, height }: Box): void => {
  const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight);
  const [w, h] = [image.naturalWidth * scale, image.naturalHeight * scale];
  pen.drawImage(image, placed(pen, x, width) + (width - w) / 2, y + (height - h) / 2, w, h);
};

export const within = (pen: Pen, shape: (path: Path2D) => void, draw: () => void): void => {
  const path = new Path2D();
  shape(path);
  pen.save();
  pen.clip(path);
  draw();
  pen.restore();
};

type RoundedBox = Box & { readonly radius: number; readonly color: string };

export const fillRounded = (pen: Pen, { x, y, width, height, radius, color }: RoundedBox): void => {
  pen.fillStyle = color;
  pen.beginPath();
  pen.roundRect(placed(pen, x, width), y, width, height, radius);
  pen.fill();
};

/** More than fit on any line. */
const MOST_LETTERS = 80;

export const fitted = (pen: Pen, text: string, width: number): string => {
  const letters = lettersOf(text);
  const shown = letters.slice(0, MOST_LETTERS);
  const line = (): string => (shown.length === letters.length ? text : `${shown.join('')}…`);
  while (shown.length > 1 && pen.measureText(line()).width > width) shown.pop();
  return line();
};

type Line = Omit<Box, 'height'> & Readonly<Record<'text' | 'font' | 'color', string>>;

export const writeLine = (pen: Pen, { text, x, y, width, font, color }: Line): void => {
  Object.assign(pen, { font: `${font} ${pageFont()}`, fillStyle: color });
  const line = fitted(pen, text, width);
  // Isolated, an id or a handle is written from the left there too.
  pen.fillText(fromRight(pen) ? `\u2068${line}\u2069` : line, placed(pen, x), y);
};
