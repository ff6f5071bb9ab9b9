import type { Logger } from 'pino';
import { reversalsLetter } from '../../identity/mail/letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { operatorAddresses } from '../../identity/merchants/people.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';

// A reversal is marked in the transaction that queues its mail, so that it is mailed once.

export type ReversalMailDeps = { assets: Assets; baseUrl: string; now: Clock; log: Logger };

const mostAtOnce = 200;

type ReversalRow = {
  payment_id: string;
  reference: string;
  integration_name: string;
  rail: string;
  transaction: string;
  asset: string;
  units: bigint;
};

/**
 * Mails operators about live transfers that were booked and left their chain, and logs each; all that are new are in one
 * mail. Returns how many there were.
 */
export async function mailReversals(
  db: Database,
  { assets, baseUrl, now, log }: ReversalMailDeps,
): Promise<number> {
  const mailed = await transaction(db, async (tx) => {
    const { rows } = await tx.query<ReversalRow>(
      `WITH mailed AS (
         UPDATE payment_reversals SET mailed_at = $1 WHERE id IN (
           SELECT id FROM payment_reversals WHERE mailed_at IS NULL ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED
         ) RETURNING *
       )
       SELECT r.payment_id, p.reference, i.name AS integration_name, r.rail, r.transaction, r.asset, r.units
       FROM mailed r JOIN payments p ON p.id = r.payment_id JOIN integrations i ON i.id = p.integration_id
       WHERE p.mode = 'live' ORDER BY r.at, r.id`,
      [now(), mostAtOnce],
    );
    if (rows.length === 0) return rows;
    const reversals = rows.map(({ asset, units, reference, integration_name }) => {
      const { currency, network, scale } = assets.get(asset);
      return `${decimalOf(units, scale)} ${currency} on ${network} for payment ${reference} of ${integration_name}`;
    });
    const letter = reversalsLetter({ reversals, url: `${baseUrl}/app/operator/appeals` });
    await queueMail(tx, { to: await operatorAddresses(tx), ...letter });
    return rows;
  });
  for (const { payment_id, reference, rail, transaction: hash, asset, units } of mailed) {
    const reversal = {
      payment: payment_id,
      reference,
      rail,
      transaction: hash,
      asset,
      units: units.toString(),
    };
    log.error(reversal, 'a transfer that was final left its chain: its booking was reversed');
  }
  return mailed.length;
}
