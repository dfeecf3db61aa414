export type Role = 'button' | 'dialog' | 'heading' | 'link' | 'textbox';

export type Found = {
  /** The middle of what can be seen of it. */
  readonly x: number;
  readonly y: number;
  /** Whether a press there would reach it: nothing is in its way, and nothing moves. */
  readonly reachable: boolean;
  readonly focused: boolean;
  readonly value: string;
};

/** Whether a press has not arrived: something may come in above what was found, before it is pressed. */
export type PageWithPress = typeof globalThis & { missed?: boolean };

/**
 * Runs in the page, so it can use nothing of this file. Finds the first visible element that a screen reader would give
 * this role and name, and brings it into view.
 */
export const findElement = (role: Role, name: string): Found | null => {
  const selectors: Readonly<Record<Role, string>> = {
    button: 'button, summary',
    dialog: 'dialog[open]',
    heading: 'h1, h2, h3',
    link: 'a[href]',
    textbox: 'input',
  };
  const textOf = (element: Element): string => {
    const copy = element.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
    return (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  };
  const nameOf = (element: Element): string => {
    const label = document.getElementById(element.getAttribute('aria-labelledby') ?? '');
    const own = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    return element.getAttribute('aria-label') ?? textOf(label ?? own ?? element);
  };
  const isVisible = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
  };
  const found = [...document.querySelectorAll(selectors[role])].find(
    (element) => isVisible(element) && nameOf(element) === name,
  );
  if (found === undefined) return null;
  found.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = found.getBoundingClientRect();
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  const hit = document.elementFromPoint(x, y);
  // On a busy machine no frame may pass between a look and a press, so what moves is not seen to move.
  const moving = document
    .getAnimations()
    .some(({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity);
  found.addEventListener('click', () => ((globalThis as PageWithPress).missed = false), { once: true });
  return {
    x,
    y,
    reachable: !moving && hit !== null && found.contains(hit) && !found.matches(':disabled'),
    focused: found === document.activeElement,
    value: found instanceof HTMLInputElement ? found.value : '',
  };
};
