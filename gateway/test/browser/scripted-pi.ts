import type { Page } from 'playwright-core';

type Answer = { status: string; message_key?: string };
type Earlier = {
  identifier: string;
  metadata: { reference: string };
  transaction: { txid: string } | null;
};

/** Pi's SDK and the gateway's answers, both controlled by a test call by call. */
export type ScriptedPi = {
  /** The calls that the page made to the SDK, in order. */
  asked: [call: string, argument: unknown][];
  /** What the page reported to the gateway, in order. */
  reported: [call: string, fields: Record<string, string>][];
  /** How often the script was requested. */
  loads: number;
  /** How the request for the script ends; `never` leaves it open. */
  script: 'served' | 'broken' | 'never';
  /** Resolves when Pi has authenticated its user, with an unfinished payment if there is one. */
  authenticate: () => Promise<Earlier | null>;
  /** The gateway's answer; with null it never answers. */
  answer: (call: string) => Answer | null;
  /** Has the SDK call the page back. */
  call(callback: string, ...values: unknown[]): Promise<void>;
};

const never = new Promise<never>(() => {});

// Runs inside the page. It is text, because the gateway's types have no `window`.
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

/** Adds the SDK to a page before the page is loaded. Unless a test changes it, every call succeeds. */
export async function scriptPi(page: Page): Promise<ScriptedPi> {
  const answers: Record<string, string> = { approve: 'approved', complete: 'completed' };
  const pi: ScriptedPi = {
    asked: [],
    reported: [],
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
    if (pi.script === 'never') return await never;
    if (pi.script === 'broken') return await route.abort();
    await route.fulfill({ contentType: 'text/javascript', body: sdk });
  });
  await page.route('**/pay/pi/*', async (route) => {
    const request = route.request();
    const call = new URL(request.url()).pathname.split('/').at(-1)!;
    pi.reported.push([call, Object.fromEntries(new URLSearchParams(request.postData() ?? ''))]);
    const answer = pi.answer(call);
    if (answer === null) return await never;
    await route.fulfill({ json: answer });
  });
  return pi;
}
