import { AppError } from '#server/app-error.ts';

/** Runs what nobody waits for. */
export type InBackground = (task: () => Promise<unknown>) => void;

/** A shared store that is out of reach is expected, and whatever depends on it is tried again; the rest is our own defect. */
export const createInBackground =
  (onDefect: (error: unknown) => void): InBackground =>
  async (task): Promise<void> => {
    try {
      await task();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'store-unavailable')) onDefect(error);
    }
  };
