import type { Clock } from '../../../kit/clock.ts';
import type { Sending } from '../../rail.ts';
import { muxedIdOf } from '../horizon/account.ts';
import { piCodeOf } from '../horizon/network.ts';
import { orderSend, type Place, piDestinationFault } from './order.ts';
import { cancelSend } from './record.ts';

/** How the rest of the gateway orders PI to be sent from the custody account. */
export function createPiSending(place: Place, now: Clock): Sending {
  const code = piCodeOf(place);
  return {
    rail: code,
    mode: place.isTest ? 'test' : 'live',
    outside: { kind: 'external', owner: code },
    assets: [code],
    ownOf: async () => new Set(),
    unavailable: async () => null,
    faultOf(order) {
      if (order.to === place.account || muxedIdOf(place.account, order.to) !== null) {
        return { field: 'to', why: 'is the account that it would be sent from' };
      }
      return piDestinationFault(order);
    },
    order: (tx, order) => orderSend(tx, place, order, now()),
    cancel: (tx, id) => cancelSend(tx, id, now()),
  };
}
