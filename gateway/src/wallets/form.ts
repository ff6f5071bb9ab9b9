import { refuse } from '../kit/errors.ts';
import { invalid } from '../kit/http/fields.ts';
import { ledgerErrors } from '../ledger/errors.ts';

/** Refuses a form that moves no money, or whose key no page made. Throws `amount_not_positive`, a field's fault. */
export function assertForm({ units, formKey }: { units: bigint; formKey: string }): void {
  if (units <= 0n) throw refuse(ledgerErrors.amount_not_positive);
  if (formKey === '' || formKey.length > 255) throw invalid('form', 'is not of this page');
}
