import { after } from '../../../../kit/clock.ts';
import type { Reader } from '../../../../kit/db/db.ts';
import type { Agreement } from '../blocks/agreement.ts';
import { keyOf, type OurTransfer } from '../blocks/match.ts';
import type { Cursors } from '../blocks/reorg.ts';
import { lackingSince } from '../blocks/transfers.ts';
import { agreedBalances, type Holding, holdingKey } from './balances.ts';

/** For how long a single endpoint must say that an address holds nothing of a deposit, or only a part of it. */
const patienceSeconds = { nothing: 3_600, part: 60 };

export type Backing = {
  reader: Reader;
  chainId: number;
  agreement: Agreement;
  now: Date;
};

/** A transfer and the units that count: less than its log says where its token keeps a part. */
type Credit = { transfer: OurTransfer; units: bigint };

/** The transfers, by whether their addresses hold their money. */
export type Verdicts = {
  backed: Credit[];
  /** Their addresses hold nothing of them: the logs of their token are false. */
  lacking: OurTransfer[];
  /** Endpoints disagree. They stay as they are until two agree. */
  unclear: OurTransfer[];
  /**
   * A single endpoint says that they are not there, or only in part. That counts when it has said so for long enough.
   */
  doubted: OurTransfer[];
};

/**
 * Checks, in the order of the chain, whether addresses hold the money that transfers brought, by the balances in the
 * token's contract. `at`: the block that becomes final, and the last block whose transfers are noted. An address must
 * hold all that ever became final there and was not swept. Sweeps are not checked, nor are addresses of an extended
 * key, whose owner moves their money unseen. Throws RpcFault.
 */
export async function checkBacking(
  backing: Backing,
  transfers: readonly OurTransfer[],
  at: Cursors,
): Promise<Verdicts> {
  const forwarders = await forwardersOf(backing, transfers);
  const isChecked = ({ kind, address }: OurTransfer) => kind === 'deposit' && forwarders.has(address);
  const checked = transfers.filter(isChecked);
  const others = transfers.filter((each) => !isChecked(each));
  const verdicts: Verdicts = {
    backed: others.map((transfer) => ({ transfer, units: transfer.units })),
    lacking: [],
    unclear: [],
    doubted: [],
  };
  if (checked.length === 0) return verdicts;
  const holdings = [...new Map(checked.map((each) => [holdingKey(each), each])).values()];
  const { balances, block } = await agreedBalances(backing.agreement, holdings, at);
  const spent = await bookedOf(backing, holdings, block);
  const found: Found[] = [];
  for (const transfer of checked) {
    const key = holdingKey(transfer);
    const balance = balances.get(key);
    if (!balance) {
      verdicts.unclear.push(transfer);
      continue;
    }
    const left = balance.units - (spent.get(key) ?? 0n);
    const units = left <= 0n ? 0n : left < transfer.units ? left : transfer.units;
    spent.set(key, (spent.get(key) ?? 0n) + units);
    found.push({ transfer, units, isDoubted: balance.isLone && units < transfer.units });
  }
  const believed = await believedOf(backing, found);
  for (const { transfer, units, isDoubted } of found) {
    if (isDoubted && !believed.has(transfer)) verdicts.doubted.push(transfer);
    else if (units > 0n) verdicts.backed.push({ transfer, units });
    else verdicts.lacking.push(transfer);
  }
  return verdicts;
}

type Found = Credit & { isDoubted: boolean };

/** Those of which a single endpoint has said for long enough that they are not there, or only in part. */
async function believedOf(
  { reader, chainId, now }: Backing,
  found: readonly Found[],
): Promise<ReadonlySet<OurTransfer>> {
  const doubted = found.filter(({ isDoubted }) => isDoubted);
  if (doubted.length === 0) return new Set();
  const keys = doubted.map(({ transfer }) => transfer);
  const since = await lackingSince(reader, chainId, keys);
  const believed = doubted.filter(({ transfer, units }) => {
    const begin = since.get(keyOf(transfer));
    const patience = units === 0n ? patienceSeconds.nothing : patienceSeconds.part;
    return begin !== undefined && after(begin, patience) <= now;
  });
  return new Set(believed.map(({ transfer }) => transfer));
}

/** The addresses of deposits whose money only the sweeper moves. */
async function forwardersOf(
  { reader }: Backing,
  transfers: readonly OurTransfer[],
): Promise<ReadonlySet<string>> {
  const deposits = transfers.filter(({ kind }) => kind === 'deposit');
  if (deposits.length === 0) return new Set();
  const { rows } = await reader.query<{ address: string }>(
    'SELECT address FROM evm_addresses WHERE address = ANY ($1) AND treasury IS NOT NULL',
    [[...new Set(deposits.map(({ address }) => address))]],
  );
  return new Set(rows.map(({ address }) => address));
}

/** What a balance must cover before new transfers: all that is final, without what was swept up to the block. */
async function bookedOf(
  { reader, chainId }: Backing,
  holdings: readonly Holding[],
  block: bigint,
): Promise<Map<string, bigint>> {
  const { rows } = await reader.query<Holding & { units: bigint }>(
    `SELECT token, address, sum(CASE WHEN kind = 'deposit' THEN units ELSE -units END)::numeric AS units
     FROM evm_transfers
     WHERE chain_id = $1 AND address = ANY ($2)
       AND CASE WHEN kind = 'deposit' THEN state = 'final' ELSE state <> 'gone' AND block_number <= $3 END
     GROUP BY token, address`,
    [chainId, holdings.map(({ address }) => address), block],
  );
  return new Map(rows.map((row) => [holdingKey(row), row.units]));
}
