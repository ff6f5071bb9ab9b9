import type { Page, Route } from 'playwright-core';

/** What a page tells the gateway of Pi's payments from now on, call by call. */
export function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const [, call] = /\/pay\/pi\/(\w+)$/.exec(new URL(request.url()).pathname) ?? [];
    if (call) calls.push(call);
  });
  return calls;
}

/**
 * Holds what the page tells back until the SDK has called that often, then lets all of it through at once. What comes
 * after that is never answered, since the gateway takes only so many calls.
 */
export async function holdUntilRepeated(page: Page, call: string, times: number): Promise<void> {
  const held: Route[] = [];
  await page.route(`**/pay/pi/${call}`, async (route) => {
    held.push(route);
    if (held.length === times) await Promise.all(held.map((each) => each.continue()));
  });
}
