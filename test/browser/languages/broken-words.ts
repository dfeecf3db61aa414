/** Runs in the page: words that a line ends within, without a hyphen. What others have written may break anywhere. */
export const brokenWords = (): string[] => {
  const WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{M}\u00AD]{2,}/gu;
  const OTHERS = 'script, style, noscript, code, pre, bdi, td, [aria-hidden=true], dialog:not([open]) *';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent?.checkVisibility({ visibilityProperty: true }) || parent.closest(OTHERS)) continue;
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(WORD)) {
      if (word.includes('\u00AD')) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top);
      if (Math.max(...tops) - Math.min(...tops) > 8) broken.push(word);
    }
  }
  return broken;
};
