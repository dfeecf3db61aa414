import { lettersOf } from '../profile-name.ts';

export type Pen = CanvasRenderingContext2D;
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Pixels of the image for each unit in which it is drawn. */
export const SCALE = 2;

/** In a language that is written from the right, everything is on the other side. */
export const placed = (pen: Pen, x: number, width = 0): number =>
  pen.direction === 'rtl' ? pen.canvas.width / SCALE - x - width : x;

export const setFont = (pen: Pen, weight: number, size: number): void => {
  pen.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
};

/** Like `object-fit: cover`. */
export const drawCovering = (pen: Pen, image: HTMLImageElement, { x, y, width, height }: Box): void => {
  const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight);
  const [w, h] = [image.naturalWidth * scale, image.naturalHeight * scale];
  pen.drawImage(image, placed(pen, x, width) + (width - w) / 2, y + (height - h) / 2, w, h);
};

const outline = (pen: Pen, { x, y, width, height }: Box, radius: number): void => {
  pen.beginPath();
  pen.roundRect(placed(pen, x, width), y, width, height, radius);
};

export const fillRounded = (pen: Pen, box: Box, radius: number, color: string): void => {
  pen.fillStyle = color;
  outline(pen, box, radius);
  pen.fill();
};

export const within = (pen: Pen, box: Box, radius: number, draw: () => void): void => {
  pen.save();
  outline(pen, box, radius);
  pen.clip();
  draw();
  pen.restore();
};

/** More than fit on any line. */
const MOST_LETTERS = 80;

const fitted = (pen: Pen, text: string, width: number): string => {
  const letters = lettersOf(text);
  const shown = letters.slice(0, MOST_LETTERS);
  const line = (): string => (shown.length === letters.length ? text : `${shown.join('')}…`);
  while (shown.length > 1 && pen.measureText(line()).width > width) shown.pop();
  return line();
};

export type Line = Omit<Box, 'height'> & {
  readonly text: string;
  readonly weight: number;
  readonly size: number;
  /** How small it may become in order to fit. */
  readonly least?: number;
  readonly color: string;
};

export const writeLine = (pen: Pen, { text, x, y, width, weight, size, least = size, color }: Line): void => {
  setFont(pen, weight, size);
  const fits = Math.floor((size * width) / pen.measureText(text).width);
  setFont(pen, weight, Math.max(least, Math.min(size, fits)));
  pen.fillStyle = color;
  const line = fitted(pen, text, width);
  // Isolated, an id or a handle is written from the left in a language that is written from the right.
  pen.fillText(pen.direction === 'rtl' ? `\u2068${line}\u2069` : line, placed(pen, x), y);
};
