import type { Reader } from '../../../../kit/db/db.ts';
import type { Hex } from '../../config/chains.ts';
import type { Block } from '../../rpc/block.ts';

/** The newest block of a chain that was proved to be final; null: none yet. */
export async function finalBlock(reader: Reader, chainId: number): Promise<Block | null> {
  const { rows } = await reader.query<{ number: bigint | null; hash: Hex | null }>(
    'SELECT final_number AS number, final_hash AS hash FROM evm_chains WHERE chain_id = $1',
    [chainId],
  );
  const { number = null, hash = null } = rows[0] ?? {};
  return number === null || hash === null ? null : { number, hash };
}
