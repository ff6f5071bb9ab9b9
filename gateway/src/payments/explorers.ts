import type { TransferRow } from './sql.ts';

/** Base addresses of block explorers, without a slash at their ends, by the rail whose chain they show. */
export type Explorers = ReadonlyMap<string, string>;

/** Where everybody can look at a transaction; null where nobody shows it. Explorers share these addresses. */
export function transactionUrl(explorers: Explorers, rail: string, transaction: string): string | null {
  const explorer = explorers.get(rail);
  return explorer === undefined ? null : `${explorer}/tx/${transaction}`;
}

/** Where everybody can look at whoever sent a transfer; null where nobody shows it, or the rail does not know. */
export function senderUrl(
  explorers: Explorers,
  { rail, sender }: Pick<TransferRow, 'rail' | 'sender'>,
): string | null {
  const explorer = explorers.get(rail);
  return explorer === undefined || sender === null ? null : `${explorer}/address/${sender}`;
}
