/** Runs in the page: takes away what the pseudo-language added to the texts. Sentences with a link in them stay as they are. */
export const asInEnglish = (filler: string): void => {
  const restore = (text: string): string =>
    text.replaceAll(/⟦([^⟧]*)⟧/g, (_, inner: string) => {
      const ends = [...inner.matchAll(/ /g)].map(({ index }) => index);
      return inner.slice(
        0,
        ends.find((end) => filler.startsWith(inner.slice(end + 1))),
      );
    });
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    node.textContent = restore(node.textContent ?? '');
  for (const name of ['aria-label', 'alt', 'title', 'placeholder'])
    for (const element of document.body.querySelectorAll(`[${name}]`))
      element.setAttribute(name, restore(element.getAttribute(name) ?? ''));
};
