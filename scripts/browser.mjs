import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

/** The same engine without the parts of a desktop program: the browser tests take two thirds of the time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of a browser that is installed already, else null. */
export const findBrowser = () => CANDIDATES.find((path) => path && isExecutable(path)) ?? null;

/** The one that runs the tests; null if there is none but the browser that Playwright brings along. */
export const findTestBrowser = () =>
  !process.env.CHROMIUM_PATH && isExecutable(HEADLESS_SHELL) ? HEADLESS_SHELL : findBrowser();

/** Debian's own package if we may install it, else the browser that Playwright brings along. */
export const installBrowser = (say) => {
  const run = (command, args) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')) {
    say('Installing Chromium from Debian…');
    run('apt-get', ['update', '-qq']);
    const packages = ['chromium', 'chromium-headless-shell', 'fonts-dejavu-core'];
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages]);
  } else {
    say('Installing the browser of Playwright…');
    run('npx', ['playwright', 'install', 'chromium']);
  }
};
