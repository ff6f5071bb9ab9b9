import type { Clock } from '../../../kit/clock.ts';
import type { Sending } from '../../rail.ts';
import { isDestination, muxedIdOf } from '../horizon/account.ts';
import { piRail } from '../horizon/network.ts';
import { memoFault, orderSend, type Place } from './order.ts';

/** How the rest of the gateway orders PI to be sent from the custody account. */
export function createPiSending(place: Place, now: Clock): Sending {
  return {
    rail: piRail,
    faultOf({ to, memo }) {
      if (!isDestination(to)) {
        return { field: 'to', why: 'is no address of Pi, which begins with G or M; look for a typing error' };
      }
      if (to === place.account || muxedIdOf(place.account, to) !== null) {
        return { field: 'to', why: 'is the account that it would be sent from' };
      }
      const why = memo === null ? null : memoFault(memo);
      return why === null ? null : { field: 'memo', why };
    },
    order: (tx, order) => orderSend(tx, place, order, now()),
  };
}
