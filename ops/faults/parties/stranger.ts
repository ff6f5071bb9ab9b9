import { encodeFunctionData, parseAbi } from 'viem';
import { splitIn } from '../model/direct.ts';
import { depositOf, forwarderFactory, splitterFactory, wordOf } from '../model/own-address.ts';
import { feeBasisPoints } from '../model/standing.ts';
import type { Hex } from '../world/world.ts';
import type { CustomerDeps } from './customer.ts';
import type { Order } from './journal.ts';
import type { OrderPlan } from './plan.ts';

const abi = parseAbi([
  'function sweep(address token, address destination, bytes32[] payments)',
  'function settle((address merchant, address host, uint256 basisPoints) split, address[] tokens, bytes32[] payments)',
  'function release((address merchant, address host, uint256 basisPoints) split, address[] tokens)',
]);

/** A release is undone as a whole where it has less than its contract asks for. */
const gas = 8_000_000n;
/** An odd number, so that its parts have to be rounded. */
const givenUnits = 10_000_000_000_000_003n;

/** Does to the address of a direct payment what anybody may do: none of it changes where the money ends. */
export async function meddle(deps: CustomerDeps, order: Order, plan: OrderPlan): Promise<void> {
  const { world, purses, owner } = deps;
  const { id, places, ownAsset } = order;
  const place = places.get(ownAsset ?? '')?.address.toLowerCase();
  const token = world.chain.tokens[ownAsset ?? '']?.address;
  const split = owner.addresses
    .map(({ address }) => splitIn(world.chain)(address))
    .find(({ splitter }) => id !== null && depositOf(splitter, id) === place);
  if (!split || !token || id === null || plan.meddles === 'no') return;
  const sides = { merchant: split.merchant, host: split.host, basisPoints: feeBasisPoints };
  const call = (to: Hex, data: Hex) => purses.call(plan.customer + 1, { to, data, gas });
  world.log.note('strangers', `${plan.meddles} for ${order.reference}`);
  switch (plan.meddles) {
    case 'sweep': {
      const args = [token, split.splitter, [wordOf(id)]] as const;
      return await call(forwarderFactory, encodeFunctionData({ abi, functionName: 'sweep', args }));
    }
    case 'settle': {
      const args = [sides, [token], [wordOf(id)]] as const;
      return await call(splitterFactory, encodeFunctionData({ abi, functionName: 'settle', args }));
    }
    case 'release': {
      const args = [sides, [token]] as const;
      return await call(splitterFactory, encodeFunctionData({ abi, functionName: 'release', args }));
    }
    case 'give':
      return await purses.send(plan.customer + 1, { token, to: split.splitter, units: givenUnits });
  }
}
