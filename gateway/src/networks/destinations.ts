import { evmDestinationFault } from '../rails/evm/addresses/destination.ts';
import { isPiCode } from '../rails/pi/horizon/network.ts';
import { piDestinationFault } from '../rails/pi/send/order.ts';
import type { Sending } from '../rails/rail.ts';

/** What is wrong with a destination on an asset's network, whether this installation has a key there or not. */
export const destinationFault: Sending['faultOf'] = (order) =>
  isPiCode(order.asset) ? piDestinationFault(order) : evmDestinationFault(order);
