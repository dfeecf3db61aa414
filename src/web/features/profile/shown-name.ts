/** Overrides of the writing direction, which let a name rearrange what stands around it, and control characters. */
const DISRUPTIVE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
/** Blanks, and characters that leave nothing on the screen; the braille blank is one that Unicode does not list. */
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}\u2800]*$/u;

/** A name as it may be shown; undefined if nothing of it would be seen. */
export const shownName = (name: string | null): string | undefined => {
  const shown = name?.replaceAll(DISRUPTIVE, '').trim();
  return shown === undefined || INVISIBLE.test(shown) ? undefined : shown;
};
