/** The build lays the folder beside the bundle too. */
export const PICTURES = new URL('pictures/', import.meta.url);
