const DOTTED = /([\w-]{16,})\.[\w-]{4,}\.[\w-]{20,}/g;
const DIGITS = /^\d{15,20}$/;

const decodesToId = (part: string): boolean => {
  try {
    return DIGITS.test(atob(part));
  } catch {
    return false;
  }
};

/** Whether a token stands anywhere in the text: three dotted parts, the first of which is an account's id in base64. */
export const containsBotToken = (text: string): boolean =>
  [...text.matchAll(DOTTED)].some(([, first = '']) => decodesToId(first));
