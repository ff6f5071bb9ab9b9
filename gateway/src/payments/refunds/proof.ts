import type { Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { SignedByContract } from '../../rails/evm/signatures/signed-by-contract.ts';
import type { RefundProof } from '../settlement/refund.ts';
import { isSender, sendersOf } from './senders.ts';

/** What is signed: which refund goes where, and the site that asked for it. */
export type Stated = {
  host: string;
  payment: { id: string; reference: string; mode: Mode };
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

export type ProofDeps = { db: Reader; assets: Assets; signedByContract: SignedByContract };

/** So many contracts are asked at once, while a customer waits. */
const mostAsked = 5;

/**
 * The proof that a signature is: by the key of an address that so much of the payment came from (EIP-191), or accepted by
 * the wallet contract there (EIP-1271). Null: none of them has signed this. `unread`: a contract may have, and its network
 * cannot be asked now. It may call endpoints, and belongs in no transaction.
 */
export async function proofOf(
  { db, assets, signedByContract }: ProofDeps,
  stated: Stated,
  signature: string,
): Promise<RefundProof | 'unread' | null> {
  const { payment, asset } = stated;
  const statement = statementOf(assets, stated);
  const senders = await sendersOf(db, payment, stated);
  // The curve's code is loaded by the first signature.
  const { signedBy } = await import('../../rails/evm/addresses/signed-by.ts');
  const signer = signedBy(statement, signature);
  if (signer !== null && senders.includes(signer)) return { provedBy: signer, statement, signature };
  // The senders of simulated payments exist on no network.
  const isReal = payment.mode === 'live' || assets.modeOf(asset) === 'test';
  const asked = isReal ? senders.slice(0, mostAsked) : [];
  const said = await Promise.all(
    asked.map((address) => signedByContract(asset, address, statement, signature)),
  );
  const provedBy = asked[said.indexOf(true)];
  if (provedBy !== undefined) return { provedBy, statement, signature };
  return said.includes(null) ? 'unread' : null;
}

/** Whether a proof is of exactly this, and so much of the payment still is of who signed it. */
export async function isProved(
  reader: Reader,
  assets: Assets,
  stated: Stated,
  { statement, provedBy }: RefundProof,
): Promise<boolean> {
  return (
    statement === statementOf(assets, stated) && (await isSender(reader, stated.payment, stated, provedBy))
  );
}
