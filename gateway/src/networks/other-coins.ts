import { Type } from 'typebox';
import type { Console } from '../identity/console/console.ts';
import type { Database, Reader } from '../kit/db/db.ts';
import { queryReader } from '../kit/http/fields.ts';
import { pageById, pageFields } from '../kit/http/page-query.ts';
import { decimalOf } from '../money/money.ts';
import { checksummed } from '../rails/evm/addresses/forwarders.ts';
import type { ChainConfig, Hex } from '../rails/evm/config/chains.ts';
import { nativeCoin } from '../rails/evm/send/words.ts';
import { type OtherCoin, OtherCoinPage } from './console-answers.ts';

type Line = {
  id: string;
  chain_id: number;
  transaction: string;
  address: Hex;
  token: Hex;
  units: bigint;
  found_at: Date;
  is_recovered: boolean;
  /** Its treasury can be swept to: no wallet holds the key of the address. */
  is_forwarder: boolean;
  reference: string;
  integration_id: string;
  integration_name: string;
};

const coinScale = 18;
const readPage = queryReader(Type.Object(pageFields));

/** Coins and tokens that are not accepted but were sent to addresses of payments, and how they are recovered. */
export function otherCoinRoutes(
  dashboard: Console,
  { db, chains }: { db: Database; chains: readonly ChainConfig[] },
): void {
  const byId = new Map(chains.map((chain) => [chain.id, chain]));

  dashboard.get('operator', '/other-coins', { answer: OtherCoinPage }, async ({ query }) => {
    const page = await pageById(readPage(query), (rows) => otherCoins(db, rows));
    const items = page.items.map((line) => viewOf(line, byId.get(line.chain_id)));
    return { message: 'Coins that are not taken', data: { ...page, items } };
  });
}

/** A sweep empties an address, so a sweep in a later block has recovered the coin. */
async function otherCoins(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<Line[]> {
  const { rows } = await reader.query<Line>(
    `SELECT c.id, c.chain_id::float8, c.transaction, c.address, c.token, c.units, c.found_at,
       a.treasury IS NOT NULL AS is_forwarder, p.reference, p.integration_id, i.name AS integration_name,
       EXISTS (SELECT FROM evm_transactions t
         WHERE t.kind = 'sweep' AND t.succeeded AND t.state IN ('mined', 'final') AND t.chain_id = c.chain_id
           AND t.token = c.token AND t.block_number > c.block_number AND a.owner_id::text = ANY (t.payments)) AS is_recovered
     FROM evm_other_coins c JOIN evm_addresses a ON a.address = c.address
     JOIN payments p ON p.id = a.owner_id JOIN integrations i ON i.id = p.integration_id
     WHERE $1::uuid IS NULL OR c.id < $1 ORDER BY c.id DESC LIMIT $2`,
    [before, limit],
  );
  return rows;
}

function viewOf(line: Line, chain: ChainConfig | undefined): OtherCoin {
  const { id, chain_id, token, address, units, transaction, reference, integration_id, integration_name } =
    line;
  const isNative = token === nativeCoin;
  const canSweep = line.is_forwarder && chain?.receiving.kind === 'forwarder';
  return {
    id,
    // A chain that is no longer configured has its number for a name.
    chain: chain?.name ?? `Chain ${chain_id}`,
    token: checksummed(token),
    symbol: isNative ? (chain?.nativeSymbol ?? 'coins') : null,
    amount: isNative ? decimalOf(units, coinScale) : `${units}`,
    address: checksummed(address),
    transaction,
    transaction_url: chain?.explorer ? `${chain.explorer}/tx/${transaction}` : null,
    found_at: line.found_at.toISOString(),
    state: line.is_recovered ? 'recovered' : 'open',
    command: canSweep
      ? `florin sweep --chain ${chain_id} --token ${checksummed(token)} --payment ${shellWord(reference)}`
      : null,
    payment: { reference, integration_id, integration_name },
  };
}

/** A reference, which shops choose, as one word of a shell command that is pasted. */
function shellWord(text: string): string {
  return /^[\w.:@][\w.:@-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
