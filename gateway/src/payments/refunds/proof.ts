import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { signedBy } from '../../rails/evm/addresses/signed-by.ts';
import { isSender } from './senders.ts';

/** That the owner of an address, where money of a payment came from, chose where it goes back to. */
export type Proof = {
  /** The address that signed. */
  provedBy: string;
  statement: string;
  signature: string;
};

/** What is signed: which refund goes where, and the site that asked for it. */
export type Stated = {
  host: string;
  payment: { id: string; reference: string };
  asset: string;
  units: bigint;
  to: string;
};

/**
 * The text that a proof signs. Its form is fixed, in every language of the page, so that a signature fits one payment, one
 * amount, one destination and one site alone.
 */
export function statementOf(assets: Assets, { host, payment, asset, units, to }: Stated): string {
  const { scale, currency, network } = assets.get(asset);
  return [
    'Send my refund to the address below.',
    '',
    `Site: ${host}`,
    `Payment: ${payment.reference} (${payment.id})`,
    `Amount: ${decimalOf(units, scale)} ${currency} on ${network} (${asset})`,
    `To: ${to}`,
  ].join('\n');
}

/** The proof that a signature is; null: an address that so much of the payment came from has not signed this. */
export async function proofOf(
  reader: Reader,
  assets: Assets,
  stated: Stated,
  signature: string,
): Promise<Proof | null> {
  const statement = statementOf(assets, stated);
  const provedBy = await signedBy(statement, signature);
  if (provedBy === null || !(await isSender(reader, stated.payment, stated, provedBy))) return null;
  return { provedBy, statement, signature };
}
