import { getIntegration } from '../../identity/integration.ts';
import { payoutsWaitLetter } from '../../identity/mail/letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { addressesOf, operatorAddresses } from '../../identity/merchants/people.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { Payout } from '../payout/payout.ts';

/** Mails those who may approve payouts that have just been ordered together, in the transaction of the order. */
export type MailApprovers = (tx: Tx, waiting: readonly Payout[]) => Promise<void>;

/** One mail for all payouts of an order: to owners and finance except the requester, and to operators if they decide. */
export function createMailApprovers(deps: { assets: Assets; baseUrl: string }): MailApprovers {
  const { assets, baseUrl } = deps;
  const sentenceOf = ({ purpose, asset, units, to, memo, description }: Payout): string => {
    const { scale, currency, network } = assets.get(asset);
    const amount = `${decimalOf(units, scale)} ${currency} on ${network}`;
    const receiver = purpose === 'user_funding' ? `the wallet of ${to}` : to;
    const words = [`${amount} to ${receiver}`, memo && `memo ${memo}`, description];
    return words.filter(Boolean).join(', ');
  };
  return async (tx, waiting) => {
    const [first] = waiting;
    if (!first) return;
    const { integrationId, mode, requester: by, requestedBy } = first;
    const ofMerchant = waiting.filter(({ approvalsNeeded }) => approvalsNeeded > 0);
    const ofOperators = waiting.filter(({ operatorApprovalsNeeded }) => operatorApprovalsNeeded > 0);
    const integration =
      integrationId === null ? 'This installation' : (await getIntegration(tx, integrationId)).name;
    const send = async (to: readonly string[], payouts: readonly Payout[], url: string) => {
      if (payouts.length === 0) return;
      const letter = payoutsWaitLetter({ integration, mode, by, payouts: payouts.map(sentenceOf), url });
      await queueMail(tx, { to, ...letter });
    };
    if (integrationId !== null) {
      const people = await addressesOf(tx, integrationId, 'make payouts', requestedBy);
      await send(people, ofMerchant, `${baseUrl}/app/i/${integrationId}/${mode}/balances?tab=payouts`);
    }
    await send(await operatorAddresses(tx), ofOperators, `${baseUrl}/app/operator/payouts`);
  };
}
