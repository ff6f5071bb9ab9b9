import type { Hex } from '../config/chains.ts';
import { numberOf } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { askEach } from '../send/ask.ts';
import { balanceCall } from '../send/words.ts';
import type { SweepDeps } from './deps.ts';
import type { Deposit } from './due.ts';

type Place = { address: Hex; owner: Hex | null; goes_to: Hex };

/**
 * What splitters hold, and the parts that wait for a side that could not be paid. A settlement leaves neither, so these are
 * rare: somebody swept and did not release, or sent money to a splitter. The chain is asked, since the places are few.
 */
export async function leftAtDirectPlaces(
  { db, chain, now }: Pick<SweepDeps, 'db' | 'chain' | 'now'>,
  endpoint: Endpoint,
): Promise<Deposit[]> {
  const { rows } = await db.query<Place & { token: Hex }>(
    `SELECT d.address, t.token, d.goes_to, d.owner FROM (
       SELECT address, CASE kind WHEN 'splitter' THEN splitter WHEN 'merchant' THEN merchant ELSE host END AS goes_to,
         CASE WHEN kind <> 'splitter' THEN splitter END AS owner
       FROM evm_direct_places WHERE is_test = $2
     ) d CROSS JOIN unnest($3::text[]) AS t (token)
     WHERE NOT EXISTS (SELECT FROM evm_transactions s WHERE s.chain_id = $1 AND s.kind = 'sweep'
         AND s.state IN ('prepared', 'sent', 'mined') AND s.token = t.token AND s.treasury = d.goes_to)
       AND NOT EXISTS (SELECT FROM evm_sweep_faults f WHERE f.chain_id = $1 AND f.token = t.token
         AND f.address = d.address AND f.retry_at > $4)`,
    [chain.id, chain.isTest ?? false, chain.tokens.map(({ address }) => address), now()],
  );
  const asked = await askEach(endpoint, rows, ({ token, address }) => ({
    method: 'eth_call',
    params: [{ to: token, data: balanceCall(address) }, 'latest'],
  }));
  return asked.flatMap(({ subject: { token, address, owner, goes_to: treasury }, reply }): Deposit[] => {
    const units = 'refused' in reply || reply.answer === '0x' ? 0n : numberOf(reply.answer);
    const asset = chain.tokens.find((each) => each.address === token)?.asset ?? null;
    return units > 0n ? [{ token, asset, address, owner, treasury, units, since: now() }] : [];
  });
}
