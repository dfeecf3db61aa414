const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/** This many bytes reveal the type. */
export const TYPE_BYTES = 12;

/** By its first bytes, whatever its server says. None of these types can run code; SVG could. */
export const pictureType = (bytes: Buffer): string | undefined => {
  if (startsWith(bytes, '\u0089PNG\r\n\u001A\n')) return 'image/png';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'image/webp';
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'image/gif';
  if (startsWith(bytes, '\u00FF\u00D8\u00FF')) return 'image/jpeg';
  return undefined;
};
