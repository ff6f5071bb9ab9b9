import type { Hex } from '../world/world.ts';
import type { Program } from './ask.ts';
import type { CustomerDeps } from './customer.ts';
import type { Refund } from './journal.ts';

/** What `GET /payments/{ref}` says of a refund of a direct payment, as far as a wallet needs it. */
type Prepared = { id: string; transfer: { from: string; token: Hex; data: Hex } | null };

const gas = 200_000n;

/** Sends the transfer that Florin prepared for a refund of a direct payment, from the merchant's own wallet. */
export async function sendPrepared(
  { owner, purses, world }: CustomerDeps,
  program: Program,
  { reference, id }: Refund,
): Promise<void> {
  const read = (await program.read(`/payments/${reference}`)) as { refunds: Prepared[] } | undefined;
  const transfer = read?.refunds.find((each) => each.id === id)?.transfer;
  const own = owner.addresses.find(({ address }) => address === transfer?.from.toLowerCase());
  world.log.note('owner', `${reference}: refund ${id} by ${JSON.stringify(transfer)}`);
  if (!transfer || !own) return;
  await purses.call(own.key, { to: transfer.token, data: transfer.data, gas });
}
