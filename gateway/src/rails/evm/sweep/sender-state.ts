import { after } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db/db.ts';
import { checksummed } from '../addresses/forwarders.ts';
import type { ChainConfig } from '../config/chains.ts';
import { coins } from '../send/coins.ts';
import type { GasPrice } from '../send/fees.ts';
import type { GasKey } from '../send/key.ts';
import type { UnderWay } from '../send/under-way.ts';
import type { SweepDeps } from './deps.ts';
import { gasOfDeposit } from './worth.ts';

/** How many deposits a usual sweep moves, to say for how many sweeps the gas key's coins are enough. */
const usualDeposits = 20n;
/** Below this many sweeps an operator should add coins. */
const lowSweeps = 10n;

type Facts = {
  chain: Pick<ChainConfig, 'nativeSymbol'>;
  key: GasKey;
  balance: bigint;
  gasPrice: GasPrice;
  open: readonly UnderWay[];
};

/** What keeps a chain's sender from sending, or will soon, in words for an operator. */
export function faultsOf({ chain, key, balance, gasPrice, open }: Facts): string[] {
  const faults = key.warning === null ? [] : [key.warning];
  const perSweep = usualDeposits * gasOfDeposit * gasPrice.price;
  const sweeps = perSweep === 0n ? lowSweeps : balance / perSweep;
  if (sweeps < lowSweeps || balance === 0n) {
    const held = `${coins(balance)} ${chain.nativeSymbol}`;
    faults.push(`Gas key ${checksummed(key.address)} holds ${held}, enough for about ${sweeps} sweeps`);
  }
  for (const { nonce, fault } of open) {
    if (fault !== null) faults.push(`The sweep with nonce ${nonce} waits: ${fault}`);
  }
  return faults;
}

/** Notes the state of a chain's sender, for operators, and logs its new faults. */
export async function noteSender(
  { db, chain, log, now }: Pick<SweepDeps, 'db' | 'chain' | 'log' | 'now'>,
  { key, balance, faults, planned }: { key: GasKey; balance: bigint; faults: string[]; planned: boolean },
): Promise<void> {
  const { rows } = await db.query<{ before: string[] | null }>(
    `WITH old AS (SELECT faults FROM evm_senders WHERE chain_id = $1)
     INSERT INTO evm_senders AS s (chain_id, gas_key, gas_balance, faults, planned_at)
     VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN $6::timestamptz END)
     ON CONFLICT (chain_id) DO UPDATE SET gas_key = excluded.gas_key, gas_balance = excluded.gas_balance,
       faults = excluded.faults, planned_at = coalesce(excluded.planned_at, s.planned_at)
     RETURNING (SELECT faults FROM old) AS before`,
    [chain.id, key.address, balance, faults, planned, now()],
  );
  const before = rows[0]?.before ?? [];
  for (const fault of faults.filter((each) => !before.includes(each))) {
    log.warn({ chain: chain.id, fault }, 'sweeping needs attention');
  }
}

/** Notes why a round could not begin. */
export async function noteSenderFault(reader: Reader, chainId: number, fault: string): Promise<void> {
  await reader.query(
    `INSERT INTO evm_senders (chain_id, faults) VALUES ($1, $2)
     ON CONFLICT (chain_id) DO UPDATE SET faults = excluded.faults`,
    [chainId, [fault]],
  );
}

/** Whether a transaction is under way or the sender has a fault, so that endpoints must be asked. */
export async function isBusy(reader: Reader, chainId: number): Promise<boolean> {
  const { rowCount } = await reader.query(
    `SELECT FROM evm_transactions WHERE chain_id = $1 AND kind = 'sweep' AND state IN ('prepared', 'sent', 'mined')
     UNION ALL
     SELECT FROM evm_senders WHERE chain_id = $1 AND faults <> '{}'
     LIMIT 1`,
    [chainId],
  );
  return rowCount === 1;
}

/** Whether it is time to look for due deposits again. */
export async function isPlanDue(
  reader: Reader,
  chainId: number,
  everySeconds: number,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await reader.query(
    'SELECT 1 FROM evm_senders WHERE chain_id = $1 AND planned_at > $2',
    [chainId, after(now, -everySeconds)],
  );
  return rowCount === 0;
}
