import { isAddress } from 'viem/utils';
import type { Sending } from '../../rail.ts';

/** Why money cannot be sent to an address of an EVM chain, as the end of a sentence; null: it can. */
export const evmDestinationFault: Sending['faultOf'] = ({ to, memo }) => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(to)) {
    return { field: 'to', why: 'must be 0x and 40 hexadecimal digits' };
  }
  // An address in one case has no checksum.
  const isPlain = to.slice(2) === to.slice(2).toLowerCase() || to.slice(2) === to.slice(2).toUpperCase();
  if (!isPlain && !isAddress(to)) {
    return { field: 'to', why: 'its checksum is wrong; look for a typing error' };
  }
  if (/^0x0*$/.test(to)) return { field: 'to', why: 'is the zero address' };
  return memo === null ? null : { field: 'memo', why: 'this network has no memos' };
};
