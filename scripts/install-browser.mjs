// Makes sure that the tests of the pages find a Chromium. Plain JavaScript, like install.mjs, which calls it.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const packages = ['chromium', 'fonts-noto-core', 'fonts-noto-cjk'];

const places = [
  process.env.CHROMIUM_PATH,
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

/** Installs Chromium through apt where possible, else says what to install by hand. The tests run either way. */
export function ensureBrowser() {
  if (findBrowser()) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && installWithApt()) return;
  console.log(
    `The tests of the pages need Chromium and will fail without it: install ${packages.join(', ')} ` +
      '(their names in Debian), or set CHROMIUM_PATH to a Chromium or Chrome.',
  );
}

function installWithApt() {
  const logPath = join(tmpdir(), 'florin-apt.log');
  console.log(`Installing Chromium and fonts for the tests of the pages (once, about 500 MB) ...`);
  const log = openSync(logPath, 'a');
  const options = { stdio: ['ignore', log, log], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  // An update that fails in part may still have loaded the lists that are needed.
  spawnSync('apt-get', ['update'], options);
  const { status } = spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options);
  closeSync(log);
  if (status === 0 && findBrowser()) return true;
  console.log(`apt-get could not install it; its output is in ${logPath}.`);
  return false;
}
