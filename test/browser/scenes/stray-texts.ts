/**
 * Runs in the page: what is said there, read aloud or shown on hover, and does not stand in brackets. `names` are what
 * has no translation.
 */
export const strayTexts = (names: readonly string[]): string[] => {
  const DATE = /(?:\p{L}+, )?\d+ \p{L}+ \d{4}(?: at \d+:\d+)?/gu;
  /** In the words of the browser. */
  const SPAN = /(?:(?:, )?\d+\s(?:year|month|day|hour|minute|second)s?)+(?: ago)?|\b(?:today|UTC)\b/g;
  const COLOR = /#[\da-f]{6}\b/g;
  /** What holds no words of ours: code, times, names that others chose, the address in pieces, and languages. */
  const OTHERS =
    'script, style, noscript, code, pre, time, bdi, [hreflang], details:has([hreflang]) > summary, p:has(> [aria-hidden=true])';
  const stray: string[] = [];
  const check = (text: string, where: string): void => {
    const known = names.reduce((left, name) => left.replaceAll(name, ''), text);
    // Numbers and signs are the same in every language.
    if (/\p{L}{2}/u.test(known.replaceAll(DATE, '').replaceAll(SPAN, '').replaceAll(COLOR, '')))
      stray.push(`${where} ${text.trim()}`);
  };

  let depth = 0;
  /** The depth goes on from one text to the next: a sentence with a link has several. */
  const outsideBrackets = (text: string): string => {
    let outside = '';
    for (const letter of text) {
      if (letter === '⟦') depth += 1;
      else if (letter === '⟧') depth -= 1;
      else if (depth === 0) outside += letter;
    }
    return outside;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    const outside = outsideBrackets(node.textContent ?? '');
    if (parent?.checkVisibility({ visibilityProperty: true }) && !parent.closest(OTHERS))
      check(outside, parent.tagName);
  }
  for (const name of ['aria-label', 'alt', 'title', 'placeholder'])
    for (const element of document.body.querySelectorAll(`[${name}]:not(altcha-widget *)`))
      check((element.getAttribute(name) ?? '').replaceAll(/⟦[^⟧]*⟧/g, ''), `${element.tagName} ${name}`);
  return [...new Set(stray)];
};
