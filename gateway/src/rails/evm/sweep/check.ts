import { factoryAddress } from '../addresses/forwarders.ts';
import type { Hex } from '../config/chains.ts';
import { hexNumber, numberOf } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import type { RpcCall } from '../rpc/rpc.ts';
import { askEach } from '../send/ask.ts';
import { nativeCoin, transferCall } from '../send/words.ts';
import { sweepCall, sweepOneCall } from './calls.ts';
import type { Deposit } from './due.ts';

/** A deposit that cannot be moved now, and why in words. */
export type LeftOut = { deposit: Deposit; reason: string };

const noFactory = 'the factory is not deployed on this chain: florin contracts deploy';

export type Checked = { good: Deposit[]; bad: LeftOut[] };

const call = (method: string, from: Hex, to: Hex, data: Hex, value = 0n): RpcCall => ({
  method,
  params: [{ from, to, data, ...(value > 0n ? { value: hexNumber(value) } : {}) }, 'latest'],
});

/**
 * Finds out by the chain which deposits can be moved by `sender`, and what lies there in truth: a token may be
 * paused, or refuse one of the addresses, and the others go all the same.
 */
export async function checkDeposits(
  endpoint: Endpoint,
  sender: Hex,
  deposits: readonly Deposit[],
): Promise<Checked> {
  const checked: Checked = { good: [], bad: [] };
  const refused: Deposit[] = [];
  const asked = await askEach(endpoint, deposits, ({ token, treasury, owner }) =>
    call('eth_call', sender, factoryAddress, sweepOneCall(token, treasury, owner)),
  );
  for (const { subject: deposit, said } of asked) {
    if ('refused' in said) {
      refused.push(deposit);
      continue;
    }
    // A call to an address without a contract answers nothing.
    const hasFactory = said.answer !== '0x';
    const units = hasFactory ? numberOf(said.answer) : 0n;
    const reason = hasFactory ? 'the chain shows nothing at this address' : noFactory;
    if (units > 0n) checked.good.push({ ...deposit, units });
    else checked.bad.push({ deposit, reason });
  }
  checked.bad.push(...(await reasonsOf(endpoint, refused)));
  return checked;
}

/** The factory reports only that it failed. The token reports why when it is called as if by the address itself. */
async function reasonsOf(endpoint: Endpoint, refused: readonly Deposit[]): Promise<LeftOut[]> {
  const asked = await askEach(endpoint, refused, ({ token, address, treasury, units }) =>
    token === nativeCoin
      ? call('eth_call', address, treasury, '0x', units)
      : call('eth_call', address, token, transferCall(treasury, units)),
  );
  return asked.map(({ subject: deposit, said }) => ({
    deposit,
    reason: 'refused' in said ? wordsOf(said.refused) : 'the token does not move it',
  }));
}

/** The words of the contract, without those of endpoint and method before them. */
function wordsOf(message: string): string {
  return message.replace(/^.*?: eth_\w+: /, '').replace(/ \(-?\d+\)$/, '');
}

/** Room for one payment that fails only when the sweep is mined: the factory's GAS_EACH and a tenth. */
const gasOfFailure = 1_100_000n;

/** The gas to allow for a sweep of deposits of one token to one treasury. */
export async function gasLimitOf(
  endpoint: Endpoint,
  sender: Hex,
  deposits: readonly Deposit[],
): Promise<bigint> {
  const [{ token, treasury }] = deposits as [Deposit];
  const owners = deposits.map(({ owner }) => owner);
  const [estimate] = await endpoint.batch([
    call('eth_estimateGas', sender, factoryAddress, sweepCall(token, treasury, owners)),
  ]);
  return (numberOf(estimate) * 105n) / 100n + gasOfFailure;
}
