import type { TransferRow } from '../settlement/transfer.ts';

/** Where a block explorer shows each transaction and account: addresses without a slash at their ends. */
export type Explorer = { transactions: string; accounts: string };

/** Block explorers by the rail whose chain they show. */
export type Explorers = ReadonlyMap<string, Explorer>;

/** The page of an explorer that shows a transaction; null where there is none. */
export function transactionUrl(explorers: Explorers, rail: string, transaction: string): string | null {
  const explorer = explorers.get(rail);
  return explorer === undefined ? null : `${explorer.transactions}/${transaction}`;
}

/**
 * The page of an explorer that shows the sender of a transfer; null where there is none, or the sender is not known.
 */
export function senderUrl(
  explorers: Explorers,
  { rail, sender }: Pick<TransferRow, 'rail' | 'sender'>,
): string | null {
  const explorer = explorers.get(rail);
  return explorer === undefined || sender === null ? null : `${explorer.accounts}/${sender}`;
}
