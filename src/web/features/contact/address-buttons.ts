import { copyText } from '../../browser.ts';

export const startAddressButtons = (page: Document): void => {
  const address = page.getElementById('address');
  const outcome = address?.querySelector<HTMLElement>('[role=status]');
  // Only for the moment in which the visitor uses it: in plain text it must not stay in the page.
  const assemble = (): string =>
    Array.from(address?.querySelectorAll('p > :not([aria-hidden])') ?? [], (piece) => piece.textContent).join(
      '',
    );
  const copy = async (): Promise<void> => {
    const copied = await copyText(assemble());
    if (outcome) outcome.textContent = outcome.dataset[copied] ?? '';
  };
  address?.querySelector('[data-press=copy]')?.addEventListener('click', () => void copy());
  address?.querySelector('[data-press=write]')?.addEventListener('click', () => {
    location.assign(`mailto:${assemble()}`);
  });
};
