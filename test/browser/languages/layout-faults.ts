/** Runs in the page: texts that are cut off, hang out of their box or lie over others, and a page that is too wide. */
export const layoutFaults = (): string[] => {
  const page = document.documentElement;
  const SEEN = { visibilityProperty: true, opacityProperty: true };
  const faults: string[] = [];
  if (page.scrollWidth > page.clientWidth) faults.push(`the page is ${page.scrollWidth} px wide`);

  const style = (element: Element): CSSStyleDeclaration => getComputedStyle(element);
  /** The element and all that it lies in. */
  const ancestors = (element: Element): Element[] => {
    const isPlaced = element instanceof HTMLElement && /absolute|fixed/.test(style(element).position);
    const next = isPlaced ? element.offsetParent : element.parentElement;
    return next ? [element, ...ancestors(next)] : [element];
  };
  /** For screen readers only, or until it has the focus. */
  const isUnseen = (element: Element): boolean =>
    element.getBoundingClientRect().width <= 1 || element.matches(':not(:focus)[href="#content"], noscript');
  const isScrolled = (element: Element): boolean => /auto|scroll/.test(style(element).overflowX);
  /** What somebody is called may be cut off, as it can be as long as they like. */
  const isCutName = (element: Element, text: string): boolean =>
    style(element).textOverflow === 'ellipsis' && !text.includes('⟦');
  const isBox = (element: Element): boolean => !/^inline$|contents/.test(style(element).display);

  type Line = { readonly text: string; readonly node: Node; readonly box: DOMRect; readonly layer: unknown };
  const lines: Line[] = [];
  const isOut = (box: DOMRect, holder: Element): boolean => {
    const { left, right, top, bottom } = holder.getBoundingClientRect();
    // The letters of a large font are higher than their line.
    const above = box.height / 3;
    return (
      box.left < left - 1 || box.right > right + 1 || box.top < top - above || box.bottom > bottom + above
    );
  };
  const look = (node: Node, text: string, around: readonly Element[]): void => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    // Sheets lie over the page, and what is scrolled out of sight lies nowhere.
    const layer = around.find((element) => isScrolled(element) || element.matches('[popover]'));
    const scrolled = around.findIndex(isScrolled);
    const holders = (scrolled < 0 ? around : around.slice(0, scrolled)).filter(isBox);
    for (const box of boxes) {
      lines.push({ text, node, box, layer });
      const out = holders.find((holder) => isOut(box, holder));
      if (out) faults.push(`“${text}” hangs out of ${out.outerHTML.slice(0, 80)}`);
    }
  };
  const liesOver = (one: Line, other: Line): boolean => {
    const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    const lower = Math.min(one.box.height, other.box.height);
    return one.node !== other.node && one.layer === other.layer && across > 2 && down > lower / 2;
  };

  // What lies under a modal dialog is not read.
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent?.trim();
    if (!text || !node.parentElement?.checkVisibility(SEEN)) continue;
    const around = ancestors(node.parentElement);
    if (!around.some((element) => isUnseen(element) || isCutName(element, text))) look(node, text, around);
  }
  for (const [index, line] of lines.entries())
    for (const other of lines.slice(index + 1))
      if (liesOver(line, other)) faults.push(`“${line.text}” lies over “${other.text}”`);
  return [...new Set(faults)];
};
