import { accessSync, constants } from 'node:fs';

/** Chromium without its desktop parts: the browser tests take two thirds of the time. */
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

const OTHER_BROWSERS = {
  'firefox-esr': '/usr/bin/firefox-esr',
  'webkit2gtk-driver': '/usr/bin/WebKitWebDriver',
  xvfb: '/usr/bin/Xvfb',
};

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const findBrowser = () => CANDIDATES.find((path) => path && isExecutable(path)) ?? null;

/** Null: the one that Playwright downloads. */
export const findTestBrowser = () =>
  !process.env.CHROMIUM_PATH && isExecutable(HEADLESS_SHELL) ? HEADLESS_SHELL : findBrowser();

const mayInstall = () => process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get');

const installFromDebian = async (packages, run) => {
  const waitForLock = ['-o', 'DPkg::Lock::Timeout=300'];
  await run('apt-get', ['update', '-qq', ...waitForLock]);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...waitForLock, ...packages]);
};

const BROWSER_PACKAGES = [
  'chromium',
  'chromium-headless-shell',
  'fonts-dejavu-core',
  'fonts-noto-core',
  'fonts-noto-cjk',
];

export const installBrowser = async (run, say) => {
  if (findBrowser() !== null || !mayInstall()) return;
  say('Installing Chromium from Debian…');
  await installFromDebian(BROWSER_PACKAGES, run).catch(() => {});
};

export const downloadBrowser = async (run, say) => {
  if (findBrowser() !== null) return;
  say("Installing Playwright's browser…");
  await run('npx', ['playwright', 'install', 'chromium']);
};

export const installOtherBrowsers = async (run, say) => {
  const missing = Object.keys(OTHER_BROWSERS).filter((name) => !isExecutable(OTHER_BROWSERS[name]));
  if (missing.length === 0) return;
  try {
    if (!mayInstall()) throw new Error('Only root may install.');
    say('Installing Firefox and WebKit from Debian…');
    await installFromDebian(missing, run);
  } catch {
    say(`${missing.join(', ')} not available: tests in these browsers will be skipped.`);
  }
};
