// Makes sure that the tests of the pages find a Chromium. Plain JavaScript, like install.mjs, which calls it.
import { existsSync } from 'node:fs';
import { apt, aptInstall, aptLog, hasApt, wasTried } from './apt.mjs';

const fonts = ['fonts-noto-core', 'fonts-noto-cjk'];

/** Chromium without a user interface: the tests of the pages take a quarter less CPU in it. */
const shell = { name: 'chromium-headless-shell', path: '/usr/bin/chromium-headless-shell' };

const places = [
  process.env.CHROMIUM_PATH,
  shell.path,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium or Chrome on this machine, or undefined. */
export function findBrowser() {
  return places.find((path) => path !== undefined && existsSync(path));
}

/**
 * Installs Chromium by apt where possible, else says what to install by hand. Where there is a full browser, installing the
 * smaller one is tried once. The tests run either way.
 */
export function ensureBrowser() {
  if (process.env.CHROMIUM_PATH || existsSync(shell.path)) return;
  if (findBrowser()) {
    if (hasApt() && !wasTried(shell.name)) aptInstall([shell.name]);
    return;
  }
  if (hasApt() && installWithApt()) return;
  console.log(
    `The tests of the pages need Chromium and will fail without it: install ${[shell.name, ...fonts].join(', ')} ` +
      '(their names in Debian), or set CHROMIUM_PATH to a Chromium or Chrome.',
  );
}

function installWithApt() {
  console.log('Installing Chromium and fonts for the tests of the pages (once, about 500 MB) ...');
  // An update that fails in part may still have loaded the lists that are needed.
  apt('update');
  // Older systems only have the full browser.
  for (const name of [shell.name, 'chromium']) {
    aptInstall([name, ...fonts]);
    if (findBrowser()) return true;
  }
  console.log(`apt-get could not install it; its output is in ${aptLog}.`);
  return false;
}
