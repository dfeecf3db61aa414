/** Apart from the store: the page reads it before it loads anything else of this folder. */
export const RECENTS_KEY = 'recents';

/** Whether the visitor wants recent lookups kept in this browser. */
export const keepsRecents = (): boolean => {
  try {
    return localStorage.getItem(RECENTS_KEY) !== null;
  } catch {
    return false;
  }
};
