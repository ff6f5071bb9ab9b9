import type { Hex } from '../config/chains.ts';
import type { Endpoints } from './endpoints.ts';
import { RpcFault } from './rpc-fault.ts';

/** Whether a contract is at an address of an asset's network; null: not known, or the network has none. */
export type IsContract = (asset: string, address: string) => Promise<boolean | null>;

/** What EIP-7702 puts at the address of a person who lets code act for them. */
const delegation = '0xef0100';

/** Whether there is a contract at an address now; null where no endpoint answers. */
export async function holdsCode(endpoints: Pick<Endpoints, 'use'>, address: Hex): Promise<boolean | null> {
  try {
    const { value } = await endpoints.use((endpoint) =>
      endpoint.batch([{ method: 'eth_getCode', params: [address, 'latest'] }]),
    );
    const [code] = value;
    if (typeof code !== 'string') return null;
    return code.length > 2 && !code.toLowerCase().startsWith(delegation);
  } catch (error) {
    if (error instanceof RpcFault) return null;
    throw error;
  }
}
