/** What the journeys look for on a page, as a screen reader would name it. */
export type Wanted = { readonly role: Role; readonly name?: string };

export type Role = 'alert' | 'article' | 'button' | 'dialog' | 'heading' | 'link' | 'textbox';

export type Found = {
  /** The middle of what can be seen of it. */
  readonly x: number;
  readonly y: number;
  /** Whether a press there would reach it: nothing is in its way, and nothing moves. */
  readonly reachable: boolean;
  readonly focused: boolean;
  readonly text: string;
  readonly value: string;
};

/** Whether a press has not arrived: something may come in above what was found, before it is pressed. */
export type PageWithPress = typeof globalThis & { missed?: boolean };

/**
 * Runs in the page, so it can use nothing of this file. Finds the first visible element with the role and the name, and
 * brings it into view.
 */
export const findElement = ({ role, name }: Wanted): Found | null => {
  const selectors: Readonly<Record<Role, string>> = {
    alert: '[role=alert]',
    article: 'article',
    button: 'button, summary',
    dialog: 'dialog[open]',
    heading: 'h1, h2, h3',
    link: 'a[href]',
    textbox: 'input:not([type]), input[type=text], input[type=password], textarea',
  };
  const textOf = (element: Element): string => {
    const copy = element.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
    return (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  };
  const nameOf = (element: Element): string => {
    const labels = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labelled = labels.map((id) => textOf(document.getElementById(id) ?? element)).join(' ');
    const ownLabels = element instanceof HTMLInputElement ? [...(element.labels ?? [])].map(textOf) : [];
    return labelled || element.getAttribute('aria-label') || ownLabels.join(' ') || textOf(element);
  };
  const isVisible = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
  };
  const found = [...document.querySelectorAll(selectors[role])].find(
    (element) => isVisible(element) && (name === undefined || nameOf(element) === name),
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
    text: textOf(found),
    value: found instanceof HTMLInputElement ? found.value : '',
  };
};
