// Stands in every page and runs before the first paint. The last press before the page's code is there is kept and made
// once the code says that it is, see app.tsx; if it fails to come, the browser does with the press what it can.
{
  let pressed;

  const keep = (event) => {
    const button = event.target.closest('button');
    if (button === null) return;
    pressed = button;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', keep, true);

  const release = () => {
    removeEventListener('click', keep, true);
    pressed?.click();
    pressed = undefined;
  };
  addEventListener('interactive', release);

  // A form then loads the page again.
  addEventListener('unhandledrejection', release);
  addEventListener('error', (event) => event.target.localName === 'script' && release(), true);
}
