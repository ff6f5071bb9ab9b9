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

/** What the SDK offers to an app. It repeats its two callbacks for the server until the server has informed Pi. */
export type PiSdk = {
  init(options: { version: '2.0'; sandbox: boolean }): unknown;
  authenticate(scopes: string[], onIncompletePaymentFound: (found: PiPayment) => void): Promise<unknown>;
  createPayment(
    payment: { amount: number; memo: string; metadata: { reference: string } },
    callbacks: PiCallbacks,
  ): unknown;
};

/** Why no payment was requested from Pi, as the name of one of the page's texts. */
export type PiFault = { word: PiWord };

let loading: Promise<PiSdk> | undefined;
let loads = 0;

/** Loads and initialises the SDK, once. After a failure the next call tries again. */
export function loadSdk(order: PiOrder): Promise<PiSdk> {
  loading ??= withTimeout(order, 'notLoaded', addScript(order)).catch((fault: unknown) => {
    loading = undefined;
    throw fault;
  });
  return loading;
}

/** Waits for the work, or rejects with this fault after the timeout. A later result is ignored. */
export async function withTimeout<T>({ timeoutMs }: PiOrder, word: PiWord, work: Promise<T>): Promise<T> {
  const fault: PiFault = { word };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fault), timeoutMs);
  });
  return await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

function addScript({ sdkUrl, sandbox }: PiOrder): Promise<PiSdk> {
  const script = document.createElement('script');
  // Browsers delay a second request to the same address until the first one, which may never end, is answered.
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
