import type { Sending } from '../../rail.ts';
import { readAddress } from './forwarders.ts';

/** Why money cannot be sent to an address of an EVM chain, as the end of a sentence; null: it can. */
export const evmDestinationFault: Sending['faultOf'] = ({ to, memo }) => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(to)) {
    return { field: 'to', why: 'must be 0x and 40 hexadecimal digits' };
  }
  if (readAddress(to) === null) return { field: 'to', why: 'its checksum is wrong; look for a typing error' };
  if (/^0x0*$/.test(to)) return { field: 'to', why: 'is the zero address' };
  return memo === null ? null : { field: 'memo', why: 'this network has no memos' };
};
