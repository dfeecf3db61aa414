import { readStored } from '../../browser.ts';

/** Apart from the store: the page reads it before it loads anything else of this folder. */
export const RECENTS_KEY = 'recents';

export const keepsRecents = (): boolean => readStored(RECENTS_KEY) !== undefined;
