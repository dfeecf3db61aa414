import { lettersOf } from '../profile-name.ts';

export type Pen = CanvasRenderingContext2D;
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** The page's font, which differs by script. */
export const pageFont = (): string => getComputedStyle(document.body).fontFamily;

const fromRight = (pen: Pen): boolean => pen.direction === 'rtl';

/** Pixels of the image for each unit in which it is drawn. */
export const SCALE = 2;

/** Where something begins: in a language that is written from the right, everything is on the other side. */
export const placed = (pen: Pen, x: number, width = 0): number =>
  fromRight(pen) ? pen.canvas.width / SCALE - x - width : x;

/** The colours of an element's gradient, as the browser has worked them out; none if it has no gradient. */
export const gradientColors = (element: Element | null): readonly string[] =>
  (element && getComputedStyle(element).backgroundImage.match(/[a-z]+\([^()]*\)/g)) ?? [];

/** Like `object-fit: cover`: fills the box, and what does not fit is cut off. */
export const drawCovering = (pen: Pen, image: HTMLImageElement, { x, y, width, height }: Box): void => {
  const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight);
  const [w, h] = [image.naturalWidth * scale, image.naturalHeight * scale];
  pen.drawImage(image, placed(pen, x, width) + (width - w) / 2, y + (height - h) / 2, w, h);
};

/** Whatever `draw` paints outside the shape is clipped, and the pen's settings are restored after it. */
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

/** As much of a line as fits in the pen's font, with an ellipsis if it was cut. */
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
