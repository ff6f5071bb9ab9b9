import type { Logger } from 'pino';
import { bookingsUndoneLetter } from '../../identity/mail/letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { operatorAddresses } from '../../identity/merchants/people.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';

// Losses carry the mark that operators were told of them, like appeals: whoever stops when, they are told once.

export type LossDeps = { assets: Assets; baseUrl: string; now: Clock; log: Logger };

const toldAtOnce = 200;

type LossRow = {
  payment_id: string;
  reference: string;
  integration_name: string;
  rail: string;
  transaction: string;
  asset: string;
  units: bigint;
};

/**
 * Tells operators, by mail and in the log, of live transfers that were booked and left their chain; what came
 * together makes one mail. Returns of how many it told.
 */
export async function tellOfLosses(db: Database, { assets, baseUrl, now, log }: LossDeps): Promise<number> {
  const told = await transaction(db, async (tx) => {
    const { rows } = await tx.query<LossRow>(
      `WITH told AS (
         UPDATE payment_losses SET told_at = $1 WHERE id IN (
           SELECT id FROM payment_losses WHERE told_at IS NULL ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED
         ) RETURNING *
       )
       SELECT l.payment_id, p.reference, i.name AS integration_name, l.rail, l.transaction, l.asset, l.units
       FROM told l JOIN payments p ON p.id = l.payment_id JOIN integrations i ON i.id = p.integration_id
       WHERE p.mode = 'live' ORDER BY l.at, l.id`,
      [now(), toldAtOnce],
    );
    if (rows.length === 0) return rows;
    const losses = rows.map(({ asset, units, reference, integration_name }) => {
      const { currency, network, scale } = assets.get(asset);
      return `${decimalOf(units, scale)} ${currency} on ${network} for payment ${reference} of ${integration_name}`;
    });
    const letter = bookingsUndoneLetter({ losses, url: `${baseUrl}/app/operator/disputes` });
    for (const to of await operatorAddresses(tx)) await queueMail(tx, { to, ...letter });
    return rows;
  });
  for (const { payment_id, reference, rail, transaction: hash, asset, units } of told) {
    const loss = { payment: payment_id, reference, rail, transaction: hash, asset, units: units.toString() };
    log.error(loss, 'a transfer that was final left its chain: its booking was undone');
  }
  return told.length;
}
