/** A payment, and the transactions that the gateway has seen for it. */
type Payment = { payment: string; seen: string[] };

/** That a wallet was asked to pay; its transaction's hash once there is one. */
export type Asked = {
  hash: string | null;
  /** How many transfers the gateway had seen by then. */
  seenBefore: number;
};

// Where the browser stores nothing, this page still remembers until it is left.
const remembered = new Map<string, string>();

/** What this tab asked a wallet to pay for this payment and the gateway has not seen; reloads do not forget it. */
export function lastAsked({ payment, seen }: Payment): Asked | null {
  const stored = read(keyOf(payment));
  const asked = stored ? (JSON.parse(stored) as Asked) : null;
  if (!asked) return null;
  const isSeen = asked.hash ? seen.includes(asked.hash.toLowerCase()) : seen.length > asked.seenBefore;
  return isSeen ? null : asked;
}

export function rememberAsked({ payment, seen }: Payment, hash: string | null): void {
  keep(payment, { hash, seenBefore: seen.length });
}

/** Puts back what was remembered before, which may be nothing. */
export function restoreAsked({ payment }: Payment, before: Asked | null): void {
  keep(payment, before);
}

function keep(payment: string, asked: Asked | null): void {
  const key = keyOf(payment);
  if (asked) remembered.set(key, JSON.stringify(asked));
  else remembered.delete(key);
  try {
    if (asked) sessionStorage.setItem(key, JSON.stringify(asked));
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
