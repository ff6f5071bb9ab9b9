import type { Reader } from '../../../kit/db.ts';
import type { Hex } from '../chains.ts';
import type { Endpoint } from '../endpoints.ts';
import type { RpcCall } from '../rpc.ts';
import { RpcFault } from '../rpc-fault.ts';
import { type Block, headerCall, hexNumber, numberOf, requireHeader } from './block.ts';
import type { OurTransfer } from './match.ts';
import type { Cursors } from './reorg.ts';

/** balanceOf(address) */
const balanceOfSelector = '0x70a08231';
const batchSize = 100;

type Holding = { token: Hex; address: Hex };
const holdingKey = ({ token, address }: Holding): string => `${token}:${address}`;

export type Backing = {
  reader: Reader;
  chainId: number;
  /** Does some work on an endpoint that did not tell of these transfers first, where there is another. */
  ask<T>(work: (endpoint: Endpoint) => Promise<T>): Promise<{ value: T }>;
};

/**
 * Which of these deposits, in the order of the chain, the token's contract does not hold: it lies in its logs, or
 * keeps a part for itself. `at`: the block that becomes final, and the one up to which everything is noted. An address must hold all that ever
 * became final there and was not swept. Addresses of an extended key are not judged: their owner moves what they
 * hold unseen. Throws RpcFault.
 */
export async function unbacked(
  backing: Backing,
  deposits: readonly OurTransfer[],
  at: Cursors,
): Promise<OurTransfer[]> {
  const judged = await judgedOf(backing, deposits);
  if (judged.length === 0) return [];
  const holdings = [...new Map(judged.map((each) => [holdingKey(each), each])).values()];
  const { balances, block } = await balancesOf(backing, holdings, at);
  const spent = await bookedOf(backing, holdings, block);
  const missing: OurTransfer[] = [];
  for (const deposit of judged) {
    const key = holdingKey(deposit);
    const left = (balances.get(key) ?? 0n) - (spent.get(key) ?? 0n);
    if (left < deposit.units) missing.push(deposit);
    else spent.set(key, (spent.get(key) ?? 0n) + deposit.units);
  }
  return missing;
}

async function judgedOf(
  { reader }: Backing,
  deposits: readonly OurTransfer[],
): Promise<readonly OurTransfer[]> {
  if (deposits.length === 0) return [];
  const { rows } = await reader.query<{ address: Hex }>(
    'SELECT address FROM evm_addresses WHERE address = ANY ($1) AND treasury IS NOT NULL',
    [[...new Set(deposits.map(({ address }) => address))]],
  );
  const forwarders = new Set(rows.map(({ address }) => address));
  return deposits.filter(({ address }) => forwarders.has(address));
}

/**
 * What the contracts say at the end of the window; where that state is not kept any more, at the seen cursor: what
 * came since only adds, and what left since is noted as a sweep.
 */
async function balancesOf(
  { ask }: Backing,
  holdings: readonly Holding[],
  at: Cursors,
): Promise<{ balances: Map<string, bigint>; block: bigint }> {
  try {
    const { value } = await ask((endpoint) => readBalances(endpoint, holdings, at.final));
    return { balances: value, block: at.final.number };
  } catch (error) {
    if (!(error instanceof RpcFault) || at.seen.number === at.final.number) throw error;
    const { value } = await ask((endpoint) => readBalances(endpoint, holdings, at.seen));
    return { balances: value, block: at.seen.number };
  }
}

async function readBalances(
  endpoint: Endpoint,
  holdings: readonly Holding[],
  block: Block,
): Promise<Map<string, bigint>> {
  const balances = new Map<string, bigint>();
  for (let from = 0; from < holdings.length; from += batchSize) {
    const part = holdings.slice(from, from + batchSize);
    const calls = part.map(({ token, address }) => ({
      method: 'eth_call',
      params: [
        { to: token, data: `${balanceOfSelector}${'0'.repeat(24)}${address.slice(2)}` },
        hexNumber(block.number),
      ],
    }));
    const answers = await askAll(endpoint, [...calls, headerCall(block.number)]);
    if (requireHeader(answers.at(-1), block.number).hash !== block.hash) {
      throw new RpcFault('refused', `has another block ${block.number} by now`);
    }
    for (const [n, holding] of part.entries()) {
      // An address without any contract answers nothing, and what fails says nothing.
      balances.set(holdingKey(holding), answers[n] === '0x' ? 0n : numberOf(answers[n]));
    }
  }
  return balances;
}

/** What an endpoint says of a contract that fails, and not of itself. */
const failed = /revert|out of gas|invalid opcode|invalid jump|stack (?:over|under)flow/i;

/** Asks one by one where a contract fails: a token that does not tell what it holds must not hold up the others. */
async function askAll(endpoint: Endpoint, calls: readonly RpcCall[]): Promise<unknown[]> {
  const isFailed = (error: unknown) => error instanceof RpcFault && failed.test(error.message);
  try {
    return await endpoint.batch(calls);
  } catch (error) {
    if (!isFailed(error)) throw error;
  }
  const answers: unknown[] = [];
  for (const call of calls) {
    const [answer] = await endpoint.batch([call]).catch((error: unknown) => {
      if (!isFailed(error)) throw error;
      return ['0x'];
    });
    answers.push(answer);
  }
  return answers;
}

/** What the balance must cover before anything new: what is final, without what was swept up to the block. */
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
