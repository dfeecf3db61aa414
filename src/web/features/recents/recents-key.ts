/** Apart from the store: the page reads it before it loads anything else of this folder. */
export const RECENTS_KEY = 'recents';

export const keepsRecents = (): boolean => {
  try {
    return localStorage.getItem(RECENTS_KEY) !== null;
  } catch {
    return false;
  }
};
