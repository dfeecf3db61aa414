import { copyText } from '../../browser.ts';

/** The address in plain text. Only for the moment in which the visitor uses it: it must not stay in the page. */
export const assembleAddress = (pieces: Iterable<Pick<Element, 'textContent' | 'hasAttribute'>>): string =>
  Array.from(pieces, (piece) => (piece.hasAttribute('aria-hidden') ? '' : piece.textContent)).join('');

/** Lets the buttons beside the contact address copy it and write to it. */
export const startAddressButtons = (page: Document): void => {
  const address = page.getElementById('address');
  const outcome = address?.querySelector<HTMLElement>('[role=status]');
  const assemble = (): string => assembleAddress(address?.querySelectorAll('p > span') ?? []);
  const copy = async (): Promise<void> => {
    const copied = await copyText(assemble());
    if (outcome) outcome.textContent = outcome.dataset[copied] ?? '';
  };
  address?.querySelector('[data-press=copy]')?.addEventListener('click', () => void copy());
  address?.querySelector('[data-press=write]')?.addEventListener('click', () => {
    location.assign(`mailto:${assemble()}`);
  });
};
