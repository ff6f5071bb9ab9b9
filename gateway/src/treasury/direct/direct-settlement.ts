import type { FeeTerms } from '../../identity/integration.ts';
import { addressesInForce, type OwnAddressSettings } from '../../identity/own-addresses.ts';
import type { Clock } from '../../kit/clock.ts';
import type { DirectSettlement, OwnAddresses } from '../../rails/direct.ts';

type Row = { id: string; integration_id: string; own_addresses: OwnAddressSettings; fee: FeeTerms };

/** How payments find the addresses of their merchants, for rails that settle directly. */
export function directSettlement({ now, isRequired }: { now: Clock; isRequired: boolean }): DirectSettlement {
  return {
    isRequired,
    async ownAddressesOf(reader, paymentIds) {
      const { rows } = await reader.query<Row>({
        name: 'own-addresses-of',
        text: `SELECT p.id, p.integration_id, i.own_addresses, i.fee
               FROM payments p JOIN integrations i ON i.id = p.integration_id
               WHERE p.id = ANY ($1) AND i.own_addresses <> '{}'`,
        values: [paymentIds],
      });
      const at = now();
      return new Map(
        rows.map(({ id, integration_id: integrationId, own_addresses, fee }): [string, OwnAddresses] => [
          id,
          { integrationId, basisPoints: fee.bps, addresses: addressesInForce(own_addresses, at) },
        ]),
      );
    },
  };
}
