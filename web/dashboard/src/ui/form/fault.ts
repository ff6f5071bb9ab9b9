import { ApiError, type FieldFault, messageOf } from '../../api/api-error.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';

/** The text of each named field; a box that is ticked is `on`, one that is not is absent. */
export type FormValues = Record<string, string>;

/** What is shown above the form, and at each of its fields. */
export type Fault = { message: string; faults: Record<string, string> };

export function valuesOf(form: HTMLFormElement): FormValues {
  const entries = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

/** Faults of the form's fields are shown at those fields; everything else is shown above the form. */
export function faultOf(error: unknown, form: HTMLFormElement): Fault {
  const details = error instanceof ApiError ? detailsOf(error) : [];
  const here = details.filter(({ field }) => form.elements.namedItem(field) !== null);
  const faults = Object.fromEntries(here.map(({ field, message }) => [field, besideField(message)]));
  return { message: here.length > 0 && here.length === details.length ? '' : messageOf(error), faults };
}

/** The gateway's text begins with the field; at the field itself the rest is a sentence. */
function besideField(message: string): string {
  const why = message.replace(/^\w+ is invalid: /, '');
  const known = ofGateway(why);
  if (why === message || known !== why) return known;
  return /^(is|has|must)\b/.test(why) ? t('It {why}.', { why }) : why;
}

/** A single fault is in the message alone: `name is invalid: is required`, `amount is below the minimum of 1 USD for USDC`. */
function detailsOf({ details, message }: ApiError): FieldFault[] {
  const [, field] = /^(\w+)[\w.]* (?:is|has) /.exec(message) ?? [];
  return details.length === 0 && field !== undefined ? [{ field, message }] : details;
}
