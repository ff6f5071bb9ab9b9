import { factoryAddress } from '../addresses/forwarders.ts';
import type { Hex } from '../config/chains.ts';
import { hexNumber, numberOf } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import type { RpcCall } from '../rpc/rpc.ts';
import { askEach } from '../send/ask.ts';
import { nativeCoin, transferCall } from '../send/words.ts';
import { type SweepCall, sweepOneCall } from './calls.ts';
import type { Deposit } from './due.ts';

/** A deposit that cannot be moved now, and why in words. */
export type LeftOut = { deposit: Deposit; reason: string };

const noFactory = 'the factory is not deployed on this chain: florin contracts deploy';

export type Checked = { good: Deposit[]; bad: LeftOut[] };

type Call = { from: Hex; to: Hex; data: Hex; value?: bigint };

const call = (method: string, { from, to, data, value = 0n }: Call): RpcCall => ({
  method,
  params: [{ from, to, data, ...(value > 0n ? { value: hexNumber(value) } : {}) }, 'latest'],
});

/**
 * Asks the chain which deposits `sender` can move, and how much there is: a token may be paused, or refuse one of the
 * addresses, and the others are moved all the same.
 */
export async function checkDeposits(
  endpoint: Endpoint,
  sender: Hex,
  deposits: readonly Deposit[],
): Promise<Checked> {
  // What a splitter holds was read from the chain just now.
  const checked: Checked = { good: deposits.filter(({ owner }) => owner === null), bad: [] };
  const refused: Deposit[] = [];
  const owned = deposits.flatMap((each) => (each.owner === null ? [] : { ...each, owner: each.owner }));
  const asked = await askEach(endpoint, owned, ({ token, treasury, owner }) =>
    call('eth_call', { from: sender, to: factoryAddress, data: sweepOneCall(token, treasury, owner) }),
  );
  for (const { subject: deposit, reply } of asked) {
    if ('refused' in reply) {
      refused.push(deposit);
      continue;
    }
    // A call to an address without a contract answers nothing.
    const hasFactory = reply.answer !== '0x';
    const units = hasFactory ? numberOf(reply.answer) : 0n;
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
      ? call('eth_call', { from: address, to: treasury, data: '0x', value: units })
      : call('eth_call', { from: address, to: token, data: transferCall(treasury, units) }),
  );
  return asked.map(({ subject: deposit, reply }) => ({
    deposit,
    reason: 'refused' in reply ? wordsOf(reply.refused) : 'the token does not move it',
  }));
}

/** The words of the contract, without the names of endpoint and method before them. */
function wordsOf(message: string): string {
  return message.replace(/^.*?: eth_\w+: /, '').replace(/ \(-?\d+\)$/, '');
}

/**
 * Room for what fails only when the sweep is mined: the factory's GAS_EACH and a tenth for one payment, and the splitters'
 * GAS_RELEASE and a tenth.
 */
const gasOfFailure = 1_100_000n;
const gasOfRelease = 5_500_000n;

/** The gas to allow for the call of a sweep. */
export async function gasLimitOf(endpoint: Endpoint, from: Hex, sweep: SweepCall): Promise<bigint> {
  const [estimate] = await endpoint.batch([call('eth_estimateGas', { from, ...sweep })]);
  const room = sweep.to === factoryAddress ? gasOfFailure : gasOfFailure + gasOfRelease;
  return (numberOf(estimate) * 105n) / 100n + room;
}
