/** Runs in the page: targets that are too small for a finger. A link within a sentence is as high as its line. */
export const smallTargets = (): string[] => {
  const TARGET_PX = 44;
  const standsInText = (target: Element): boolean =>
    getComputedStyle(target).display === 'inline' &&
    (target.parentElement?.textContent ?? '').trim() !== target.textContent?.trim();
  /** A checkbox is pressed by its label. */
  const pressed = (target: Element): Element =>
    (target instanceof HTMLInputElement && target.type === 'checkbox' && target.labels?.[0]) || target;
  // What lies under a modal cannot be pressed.
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  return [...root.querySelectorAll('a[href], button, input, summary, select, textarea')]
    .filter((target) => target.checkVisibility({ visibilityProperty: true }))
    .filter((target) => !target.matches(':not(:focus)[href="#content"]'))
    .filter((target) => !standsInText(target))
    .map(pressed)
    .map((target) => ({ target, box: target.getBoundingClientRect() }))
    .filter(({ box }) => box.width < TARGET_PX || box.height < TARGET_PX)
    .map(({ target, box }) => `${target.outerHTML.slice(0, 90)} ${box.width}×${box.height}`);
};
