import type { PiOrder, PiWord } from './pi-order.ts';

/** A payment as Pi's SDK knows it. */
export type PiPayment = {
  identifier: string;
  metadata?: { reference?: unknown } | null;
  transaction?: { txid?: string } | null;
};

type PiCallbacks = {
  onReadyForServerApproval(identifier: string): void;
  onReadyForServerCompletion(identifier: string, txid: string): void;
  onCancel(identifier: string): void;
  onError(error: unknown, payment?: PiPayment): void;
};

/** What the SDK offers to an app. It repeats its two calls for the server until Pi has heard of their effect. */
export type PiSdk = {
  init(options: { version: '2.0'; sandbox: boolean }): unknown;
  authenticate(scopes: string[], onIncompletePaymentFound: (found: PiPayment) => void): Promise<unknown>;
  createPayment(
    payment: { amount: number; memo: string; metadata: { reference: string } },
    callbacks: PiCallbacks,
  ): unknown;
};

/** Why Pi was not asked to pay, as one of the page's words. */
export type PiFault = { word: PiWord };

let loading: Promise<PiSdk> | undefined;
let loads = 0;

/** Loads the SDK and tells it of its surroundings, once. After a failure the next call tries again. */
export function loadSdk(order: PiOrder): Promise<PiSdk> {
  loading ??= withinPatience(order, 'notLoaded', addScript(order)).catch((fault: unknown) => {
    loading = undefined;
    throw fault;
  });
  return loading;
}

/** Waits no longer than the customer should, then fails with a word for it; what comes later changes nothing. */
export async function withinPatience<T>({ patienceMs }: PiOrder, word: PiWord, work: Promise<T>): Promise<T> {
  const fault: PiFault = { word };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fault), patienceMs);
  });
  return await Promise.race([work, patience]).finally(() => clearTimeout(timer));
}

function addScript({ sdkUrl, sandbox }: PiOrder): Promise<PiSdk> {
  const script = document.createElement('script');
  // Browsers let a second request for the same address wait for the first one, which may never be answered.
  script.src = loads === 0 ? sdkUrl : `${sdkUrl}?again=${loads}`;
  loads++;
  return new Promise((resolve, reject) => {
    const fault: PiFault = { word: 'notLoaded' };
    script.addEventListener('error', () => reject(fault));
    script.addEventListener('load', () => {
      const sdk = (window as { Pi?: PiSdk }).Pi;
      if (!sdk) return reject(fault);
      sdk.init({ version: '2.0', sandbox });
      resolve(sdk);
    });
    document.head.append(script);
  });
}
