import type { Hex } from '../chains.ts';
import type { Endpoint } from '../endpoints.ts';
import { factoryAddress } from '../forwarders.ts';
import type { RpcCall } from '../rpc.ts';
import { askEach, bytes, hex, quantity, type Said } from './ask.ts';
import { balanceCall, nativeCoin, saysYes, sweepCall, transferCall } from './calls.ts';
import type { Deposit } from './due.ts';

/** A deposit that cannot be moved now, and why in words. */
export type LeftOut = { deposit: Deposit; reason: string };

export type Checked = { good: Deposit[]; bad: LeftOut[] };

const call = (method: string, from: Hex, to: Hex, data: Hex, value = 0n): RpcCall => ({
  method,
  params: [{ from, to, data, ...(value > 0n ? { value: hex(value) } : {}) }, 'latest'],
});

/** What the address itself would call, were it not a contract that only the factory moves. */
function moveOf(method: string, { token, address, treasury, units }: Deposit): RpcCall {
  return token === nativeCoin
    ? call(method, address, treasury, '0x', units)
    : call(method, address, token, transferCall(treasury, units));
}

/**
 * Finds out by the chain which deposits of one token can be moved, and what lies there in truth: a token may be
 * paused, or refuse one of the addresses, and the others go all the same.
 */
export async function checkDeposits(endpoint: Endpoint, deposits: readonly Deposit[]): Promise<Checked> {
  const checked: Checked = { good: [], bad: [] };
  const held = await balancesOf(endpoint, deposits);
  const full: Deposit[] = [];
  for (const [at, deposit] of deposits.entries()) {
    const balance = held[at]!;
    if (typeof balance === 'string') checked.bad.push({ deposit, reason: balance });
    else if (balance === 0n) checked.bad.push({ deposit, reason: 'the chain shows nothing at this address' });
    else full.push({ ...deposit, units: balance });
  }
  const moves = await askEach(
    endpoint,
    full.map((deposit) => moveOf('eth_call', deposit)),
  );
  for (const [at, deposit] of full.entries()) {
    const reason = refusalOf(moves[at]!, deposit);
    if (reason === null) checked.good.push(deposit);
    else checked.bad.push({ deposit, reason });
  }
  return checked;
}

async function balancesOf(endpoint: Endpoint, deposits: readonly Deposit[]): Promise<(bigint | string)[]> {
  const said = await askEach(
    endpoint,
    deposits.map(({ token, address }) =>
      token === nativeCoin
        ? { method: 'eth_getBalance', params: [address, 'latest'] }
        : { method: 'eth_call', params: [{ to: token, data: balanceCall(address) }, 'latest'] },
    ),
  );
  // Where no contract stands, the answer is empty.
  return said.map((each) =>
    'refused' in each ? reasonOf(each.refused) : each.answer === '0x' ? 0n : quantity(each.answer),
  );
}

function refusalOf(said: Said, { token }: Deposit): string | null {
  if ('refused' in said) return reasonOf(said.refused);
  if (token === nativeCoin || saysYes(bytes(said.answer))) return null;
  return 'the token answers that it does not transfer';
}

/** The words of the contract, without those of endpoint and method before them. */
function reasonOf(message: string): string {
  return message.replace(/^.*?: eth_\w+: /, '').replace(/ \(-?\d+\)$/, '');
}

/**
 * The gas to allow for a sweep of one token to one treasury. The factory goes on when one address fails, so that
 * an estimate may be what is needed when the last one fails for want of gas: room for two of them is added.
 */
export async function gasLimitOf(
  endpoint: Endpoint,
  sender: Hex,
  deposits: readonly Deposit[],
): Promise<bigint> {
  const [first] = deposits as [Deposit];
  const payments = deposits.map(({ paymentId }) => paymentId);
  const data = sweepCall(first.token, first.treasury, payments);
  const [whole, move] = await endpoint.batch([
    call('eth_estimateGas', sender, factoryAddress, data),
    moveOf('eth_estimateGas', first),
  ]);
  return (quantity(whole) * 115n) / 100n + 2n * quantity(move);
}
