import type { TransferRow } from './sql.ts';

/** Where a block explorer shows each transaction and account: addresses without a slash at their ends. */
export type Explorer = { transactions: string; accounts: string };

/** Block explorers by the rail whose chain they show. */
export type Explorers = ReadonlyMap<string, Explorer>;

/** Where everybody can look at a transaction; null where nobody shows it. */
export function transactionUrl(explorers: Explorers, rail: string, transaction: string): string | null {
  const explorer = explorers.get(rail);
  return explorer === undefined ? null : `${explorer.transactions}/${transaction}`;
}

/** Where everybody can look at whoever sent a transfer; null where nobody shows it, or the rail does not know. */
export function senderUrl(
  explorers: Explorers,
  { rail, sender }: Pick<TransferRow, 'rail' | 'sender'>,
): string | null {
  const explorer = explorers.get(rail);
  return explorer === undefined || sender === null ? null : `${explorer.accounts}/${sender}`;
}
