import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import type { Key, KeyChoices } from './queries.ts';

type Withheld = KeyChoices['withheld'];

/** The calls of a key without a list: all but those that a key must name. */
function unlisted({ actions }: KeyChoices): string[] {
  return actions.flatMap(({ name, named_only }) => (named_only ? [] : [name]));
}

/** The names of calls, as they stand in a sentence. */
export function callsOf(actions: readonly (string | { name: string })[]): string {
  return actions.map((each) => ofGateway(typeof each === 'string' ? each : each.name)).join(', ');
}

/** Why a key of this person may not make a call; undefined: it may. */
export function whyWithheld(withheld: Withheld, action: string): string | undefined {
  const permission = withheld[action];
  return (
    permission &&
    t('Your role may not {permission}, so no key that you make may.', { permission: ofGateway(permission) })
  );
}

/** Why this person may not make a key that may do this, or roll one; null: it has no list, like a signing key. */
export function whyNotMade(choices: KeyChoices, actions: Key['actions']): string | undefined {
  const { withheld } = choices;
  const action = (actions ?? unlisted(choices)).find((each) => each in withheld);
  return action && whyWithheld(withheld, action);
}
