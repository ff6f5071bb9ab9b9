import { type Browser, chromium } from 'playwright-core';
import { atFileEnd } from '../suite/endings.ts';

// One for all the files of a worker: a start takes a second.
let launched: Promise<Browser> | undefined;

/**
 * The headless browser of the tests: the one at CHROMIUM_PATH, which is found before the tests run. A test file opens
 * contexts of its own in it, which are closed when the file is done; it never closes the browser.
 */
export async function openBrowser(): Promise<Browser> {
  launched ??= launch();
  const browser = await launched;
  atFileEnd(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

// Chromium heeds the last list alone, so it begins with what Playwright turns off. After that: the pop-up of the
// address bar, a page of its own that costs each context as much as the page under test; and renderers in reserve.
const withoutFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
];

/** A limit only has to end what would never end: Playwright's own of 30 s is too short for a busy machine. */
const patienceMs = 120_000;

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    // Tests of commands send such signals to their own process. The browser still ends with the process.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // A process of its own for drawing took an eighth of the CPU.
      '--in-process-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${withoutFeatures.join()}`,
      // A page lives for seconds: its scripts end before what the last compilers make of them is worth their time.
      '--js-flags=--no-turbofan --no-maglev --single-threaded-gc',
    ],
  });
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}
