import type { Hex } from '../../config/chains.ts';
import { type Block, headerCall, hexNumber, numberOf, requireHeader } from '../../rpc/block.ts';
import type { Endpoint } from '../../rpc/endpoints.ts';
import type { RpcCall } from '../../rpc/rpc.ts';
import { isOfContract, RpcFault } from '../../rpc/rpc-fault.ts';
import { type Agreement, Disagreement } from '../blocks/agreement.ts';
import type { Cursors } from '../blocks/reorg.ts';

/** balanceOf(address) */
const balanceOfSelector = '0x70a08231';
const batchSize = 100;

/** A token at an address. */
export type Holding = { token: Hex; address: Hex };
export const holdingKey = ({ token, address }: Holding): string => `${token}:${address}`;

/** What an address holds of a token. `isLone`: a single endpoint said so, twice, and no other was asked or answered. */
type Balance = { units: bigint; isLone: boolean };

/** By `holdingKey`. A holding without two equal answers is left out. `block`: where it was asked. */
export type Balances = { balances: Map<string, Balance>; block: bigint };

/**
 * What the contracts say at the block that becomes final, or at the seen cursor where that state is not kept any
 * more: transfers since then only add, and what left is noted as a sweep. Throws RpcFault.
 */
export async function agreedBalances(
  agreement: Agreement,
  holdings: readonly Holding[],
  at: Cursors,
): Promise<Balances> {
  try {
    return await agreedAt(agreement, holdings, at.final);
  } catch (error) {
    if (!(error instanceof RpcFault) || at.seen.number === at.final.number) throw error;
    return await agreedAt(agreement, holdings, at.seen);
  }
}

type Answer = { endpoint: string; units: Map<string, bigint> };

/** Endpoints that disagree about one holding may agree about the others. */
async function agreedAt(agreement: Agreement, holdings: readonly Holding[], block: Block): Promise<Balances> {
  const keys = holdings.map(holdingKey);
  const answers: Answer[] = [];
  const ask = async (endpoint: Endpoint): Promise<Answer> => {
    const answer = { endpoint: endpoint.name, units: await readBalances(endpoint, holdings, block) };
    answers.push(answer);
    return answer;
  };
  const same = (one: Answer, other: Answer) =>
    keys.every((key) => one.units.get(key) === other.units.get(key));
  const about = `the balances of addresses at block ${block.number}`;
  try {
    await agreement.agree({ ask, same, about, kind: 'balances' });
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
  }
  const balances = new Map<string, Balance>();
  for (const key of keys) {
    const balance = reportedTwice(answers, key);
    if (balance) balances.set(key, balance);
  }
  return { balances, block: block.number };
}

/** The value that two answers share, preferably of two endpoints. */
function reportedTwice(answers: readonly Answer[], key: string): Balance | null {
  let lone: Balance | null = null;
  for (const [at, { endpoint, units }] of answers.entries()) {
    const held = units.get(key);
    if (held === undefined) continue;
    const twins = answers.slice(0, at).filter((each) => each.units.get(key) === held);
    if (twins.some((each) => each.endpoint !== endpoint)) return { units: held, isLone: false };
    if (twins.length > 0) lone = { units: held, isLone: true };
  }
  return lone;
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
      throw new RpcFault('refused', `has another block ${block.number} now`);
    }
    for (const [n, holding] of part.entries()) {
      // An address without a contract returns nothing; a call that failed has no value.
      balances.set(holdingKey(holding), answers[n] === '0x' ? 0n : numberOf(answers[n]));
    }
  }
  return balances;
}

/** Asks one by one where a contract fails: a token that does not say what it holds must not hold up the others. */
async function askAll(endpoint: Endpoint, calls: readonly RpcCall[]): Promise<unknown[]> {
  try {
    return await endpoint.batch(calls);
  } catch (error) {
    if (!isOfContract(error)) throw error;
  }
  const answers: unknown[] = [];
  for (const call of calls) {
    const [answer] = await endpoint.batch([call]).catch((error: unknown) => {
      if (!isOfContract(error)) throw error;
      return ['0x'];
    });
    answers.push(answer);
  }
  return answers;
}
