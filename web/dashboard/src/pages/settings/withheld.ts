import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import type { Key, KeyChoices } from './queries.ts';

type Withheld = KeyChoices['withheld'];

/** Money leaves by these: a key has them only where they are named. */
export const moneyOut: Record<string, string> = {
  'make payouts': t('Sends your balance to any address that your payout settings allow.'),
  'make refunds': t('Sends money of payments back to customers.'),
};

/** Why a key of this person may not make a call; undefined: it may. */
export function whyWithheld(withheld: Withheld, action: string): string | undefined {
  const permission = withheld[action];
  return (
    permission &&
    t('Your role may not {permission}, so no key that you make may.', { permission: ofGateway(permission) })
  );
}

/** Why this person may not make a key that may do this, or roll one; null names every call, as a signing key. */
export function whyNotMade(withheld: Withheld, actions: Key['actions']): string | undefined {
  const wanted = actions ?? Object.keys(withheld).filter((action) => !(action in moneyOut));
  const action = wanted.find((each) => each in withheld);
  return action && whyWithheld(withheld, action);
}
