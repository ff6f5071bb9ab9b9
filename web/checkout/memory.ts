import type { Order } from './order.ts';

/** That a wallet was asked to pay; its transaction's hash once there is one. */
export type Asked = { hash: string | null };

// Where the browser stores nothing, this page still remembers until it is left.
const remembered = new Map<string, string>();

/** What this tab asked a wallet to pay for this payment and the gateway has not seen; reloads do not forget it. */
export function lastAsked({ payment, seen }: Order): Asked | null {
  const stored = read(keyOf(payment));
  const asked = stored ? (JSON.parse(stored) as Asked) : null;
  return asked?.hash && seen.includes(asked.hash.toLowerCase()) ? null : asked;
}

export function rememberAsked({ payment }: Order, asked: Asked | null): void {
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
