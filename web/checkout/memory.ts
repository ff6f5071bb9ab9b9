/** A payment, and the transactions that the gateway has already seen for it. */
type Payment = { payment: string; seen: string[] };

/** A request to a wallet to pay, with the hash of its transaction once that is known. */
export type WalletRequest = {
  hash: string | null;
  /** When it was made, in milliseconds of this browser's time. */
  at: number;
  /** How many transfers the gateway had seen when the request was made. */
  seenBefore: number;
};

// For browsers without storage: requests are kept until the page is left.
const remembered = new Map<string, string>();

/** The last request of this tab for this payment, if the gateway has not seen its transfer. It survives reloads. */
export function lastRequest({ payment, seen }: Payment): WalletRequest | null {
  const stored = read(keyOf(payment));
  const request = stored ? (JSON.parse(stored) as WalletRequest) : null;
  if (!request) return null;
  const { hash, seenBefore } = request;
  const isSeen = hash ? seen.includes(hash.toLowerCase()) : seen.length > seenBefore;
  return isSeen ? null : request;
}

export function rememberRequest({ payment, seen }: Payment, hash: string | null): void {
  keep(payment, { hash, at: Date.now(), seenBefore: seen.length });
}

/** Restores the earlier request; null when there was none. */
export function restoreRequest({ payment }: Payment, before: WalletRequest | null): void {
  keep(payment, before);
}

function keep(payment: string, request: WalletRequest | null): void {
  const key = keyOf(payment);
  if (request) remembered.set(key, JSON.stringify(request));
  else remembered.delete(key);
  try {
    if (request) sessionStorage.setItem(key, JSON.stringify(request));
    else sessionStorage.removeItem(key);
  } catch {
    // Storage is switched off.
  }
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key) ?? remembered.get(key) ?? null;
  } catch {
    return remembered.get(key) ?? null;
  }
}

function keyOf(payment: string): string {
  return `florin-asked:${payment}`;
}
