/** The folder of all pictures. The build lays it beside the bundle too. */
export const PICTURES = new URL('pictures/', import.meta.url);
