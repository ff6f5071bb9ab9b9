import type { Page } from 'playwright-core';

type Answer = { status: string; message_key?: string };
type Earlier = {
  identifier: string;
  metadata: { reference: string };
  transaction: { txid: string } | null;
};

/** Pi's SDK as a test wants it to behave, one call after the other, and the gateway's answers beside it. */
export type ScriptedPi = {
  /** What the page asked of the SDK, in order. */
  asked: [call: string, argument: unknown][];
  /** What the page told the gateway, in order. */
  told: [call: string, fields: Record<string, string>][];
  /** How often the script was loaded. */
  loads: number;
  /** Whether it arrives: `never` leaves the request open. */
  script: 'served' | 'broken' | 'never';
  /** Resolves when Pi has authenticated its user, with a payment that was left unfinished. */
  authenticate: () => Promise<Earlier | null>;
  /** What the gateway answers; null: nothing, as long as the test runs. */
  answer: (call: string) => Answer | null;
  /** Has the SDK call the page back. */
  call(callback: string, ...values: unknown[]): Promise<void>;
};

const nothing = new Promise<never>(() => {});

// Runs inside the page, whose types the gateway does not know.
const sdk = `window.Pi = {
  init: (options) => window.piAsked('init', options),
  authenticate: async (scopes, onIncomplete) => {
    window.piCallbacks = { onIncomplete };
    const earlier = await window.piAsked('authenticate', scopes);
    if (earlier) onIncomplete(earlier);
  },
  createPayment: (payment, callbacks) => {
    Object.assign(window.piCallbacks, callbacks);
    window.piAsked('createPayment', payment);
  },
};`;

/** Puts it into a page that is not loaded yet. At first all goes well. */
export async function scriptPi(page: Page): Promise<ScriptedPi> {
  const answers: Record<string, string> = { approve: 'approved', complete: 'completed' };
  const pi: ScriptedPi = {
    asked: [],
    told: [],
    loads: 0,
    script: 'served',
    authenticate: async () => null,
    answer: (call) => ({ status: answers[call] ?? 'cancelled' }),
    call: (callback, ...values) =>
      page.evaluate(`window.piCallbacks.${callback}(...${JSON.stringify(values)})`),
  };
  await page.exposeFunction('piAsked', (call: string, argument: unknown) => {
    pi.asked.push([call, argument]);
    return call === 'authenticate' ? pi.authenticate() : null;
  });
  await page.route('https://sdk.example/pi-sdk.js*', async (route) => {
    pi.loads++;
    if (pi.script === 'never') return await nothing;
    if (pi.script === 'broken') return await route.abort();
    await route.fulfill({ contentType: 'text/javascript', body: sdk });
  });
  await page.route('**/pay/pi/*', async (route) => {
    const request = route.request();
    const call = new URL(request.url()).pathname.split('/').at(-1)!;
    pi.told.push([call, Object.fromEntries(new URLSearchParams(request.postData() ?? ''))]);
    const answer = pi.answer(call);
    if (answer === null) return await nothing;
    await route.fulfill({ json: answer });
  });
  return pi;
}
