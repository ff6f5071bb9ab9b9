import { checksummed } from '../addresses/forwarders.ts';
import type { Hex } from '../config/chains.ts';

export type SafeBatch = {
  chainId: number;
  name: string;
  description: string;
  at: Date;
  calls: readonly { to: Hex; data: Hex }[];
};

/** A file for the Transaction Builder of a Safe: calls that it makes in one transaction. */
export function safeFile({ chainId, name, description, at, calls }: SafeBatch): string {
  const file = {
    version: '1.0',
    chainId: `${chainId}`,
    createdAt: at.getTime(),
    meta: { name, description },
    transactions: calls.map(({ to, data }) => ({
      to: checksummed(to),
      value: '0',
      data,
      contractMethod: null,
      contractInputsValues: null,
    })),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
