export const startMenuButton = (page: Document): void => {
  const button = page.querySelector<HTMLButtonElement>('header [aria-expanded]');
  const isOpen = (): boolean => button?.getAttribute('aria-expanded') === 'true';
  const setOpen = (open: boolean): void => button?.setAttribute('aria-expanded', String(open));
  button?.addEventListener('click', () => setOpen(!isOpen()));
  button?.parentElement?.addEventListener('keydown', ({ key }) => {
    if (!isOpen() || key !== 'Escape') return;
    setOpen(false);
    button.focus();
  });
};
