/** Texts of interface parts that are not on every page; the frame's are in `frame.ts`. */
export const copying = { copied: 'Copied.', failed: 'Your browser didn’t allow copying.' };

export const CLOSE = 'Close';
export const CANCEL = 'Cancel';

export const yourTime = (time: string): string => `${time} your time`;

export const waiting = {
  second: '1 second',
  seconds: (count: number) => `${count} seconds`,
  minutes: (count: number) => `${count} minutes`,
  hours: (count: number) => `${count} hours`,
  left: (wait: string) => `You can try again in ${wait}.`,
  over: 'You can try again now.',
};
