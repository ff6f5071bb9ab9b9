import { checksummed, keccakOf } from '../addresses/forwarders.ts';
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
  const checksum = checksumOf({ ...file, meta: { ...file.meta, name: null } });
  return `${JSON.stringify({ ...file, meta: { ...file.meta, checksum } }, null, 2)}\n`;
}

type Json = string | number | null | readonly Json[] | { readonly [name: string]: Json };

/** Without the right checksum the Transaction Builder warns that somebody changed the file. A name may be changed. */
function checksumOf(file: Json): Hex {
  return keccakOf(`0x${Buffer.from(flattened(file)).toString('hex')}`);
}

/** The form that the Transaction Builder hashes: of an object its sorted names in a list, then their values. */
function flattened(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(flattened).join(',')}]`;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  const names = JSON.stringify(fields.map(([name]) => name));
  return `{${names}${fields.map(([, each]) => `${flattened(each)},`).join('')}}`;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
