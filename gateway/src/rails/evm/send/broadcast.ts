import type { Hex } from '../config/chains.ts';
import type { Endpoints } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';

/**
 * The outcome of a broadcast: `accepted` by a node now or before; `late` where the nonce is used up (receipts say by
 * which transaction); else not accepted, for a reason in words.
 */
export type BroadcastOutcome = 'accepted' | 'late' | { fault: string };

// The words of Besu, BNB Chain, Erigon, geth, Nethermind, reth and anvil.
const known =
  /already known|already imported|known transaction|already in (?:the )?(?:tx|transaction )?pool|alreadyknown/i;
const late = /nonce (?:is )?too low|oldnonce|nonce too small|invalid nonce; got/i;

/**
 * Broadcasts signed bytes. The same bytes may be sent any number of times: they are mined once. Without a reply it is
 * not known whether they arrived, so they are sent again later.
 */
export async function broadcast(endpoints: Pick<Endpoints, 'use'>, signed: Hex): Promise<BroadcastOutcome> {
  try {
    await endpoints.use((endpoint) =>
      endpoint.batch([{ method: 'eth_sendRawTransaction', params: [signed] }]),
    );
    return 'accepted';
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    if (known.test(error.message)) return 'accepted';
    if (late.test(error.message)) return 'late';
    return { fault: error.message };
  }
}
