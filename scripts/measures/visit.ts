import type { BrowserContext, Page } from 'playwright-core';
import { findViolations } from '../../gateway/test/browser/axe.ts';

/** The cost of opening a page: bytes with headers, the largest paint in ms, layout shifts, and faults that axe finds. */
export type Cost = { bytes: number; requests: number; lcp: number; cls: number; axe: number };

/** The measured device and network: a mid-range phone with a slow mobile connection. */
const cpuSlowdown = 4;
const network = {
  offline: false,
  latency: 40,
  downloadThroughput: 1_500_000 / 8,
  uploadThroughput: 750_000 / 8,
};

// Scripts that run inside the page are text, because the tests' types have no `document`.
const observe = `
  globalThis.seen = { lcp: 0, cls: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.lcp = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.cls += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Whether the page has its heading, and no part of it waits for data. */
const shown = `document.querySelector('h1') !== null && !document.querySelector('.animate-pulse, [aria-busy=true]') && seen.lcp > 0`;

/** A page counts as loaded when nothing has arrived for this long. */
const quietMs = 700;

/** Opens an address, and measures it: as a first visit, or with what the context's pages have left in the cache. */
export async function measureVisit(
  context: BrowserContext,
  url: string,
  { isFirst = true }: { isFirst?: boolean } = {},
): Promise<Cost> {
  const page = await context.newPage();
  await page.addInitScript(observe);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: isFirst });
  await session.send('Network.emulateNetworkConditions', network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  const wire = { bytes: 0, requests: 0, last: performance.now() };
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (/^https?:/.test(request.url)) wire.requests += 1;
    wire.last = performance.now();
  });
  session.on('Network.responseReceived', ({ response }) => {
    // A stream never ends, so its headers are counted here; those of other answers when they end.
    if (response.mimeType === 'text/event-stream') wire.bytes += response.encodedDataLength;
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    wire.bytes += encodedDataLength;
    wire.last = performance.now();
  });
  await page.goto(url, { waitUntil: 'load' });
  await settled(page, () => performance.now() - wire.last);
  const { bytes, requests } = wire;
  const { lcp, cls }: { lcp: number; cls: number } = await page.evaluate('seen');
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const violations = await findViolations(page);
  await page.close();
  return { bytes, requests, lcp, cls, axe: violations.length };
}

async function settled(page: Page, quietFor: () => number): Promise<void> {
  while (quietFor() < quietMs || !(await page.evaluate(shown))) await page.waitForTimeout(100);
}
