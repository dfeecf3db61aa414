/** A text in eight forms, as it might slip through a filter for the text itself. */
export const spellingsOf = (text: string): string[] => {
  const bytes = Buffer.from(text);
  return [
    text,
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    text.split('').toReversed().join(''),
    Buffer.from(text, 'utf16le').toString('latin1'),
  ];
};
