import { type ReactNode, useDeferredValue, useState } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { amountText } from '../../../format/amount.ts';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { t } from '../../../texts/t.ts';
import { Form } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { toastOutcome } from '../../../ui/toast/done.ts';
import { percentOf } from './fee-text.ts';
import { type FeeTerms, type IntegrationLine, merchantPaths, sendFee, useFeeExamples } from './queries.ts';

type Typed = Record<keyof FeeTerms, string>;

/** The fee of an integration, with examples. */
export function FeeForm({ integration: { id, fee } }: { integration: IntegrationLine }): ReactNode {
  const refresh = useRefresh();
  const [terms, setTerms] = useState<Typed>({
    bps: String(fee.bps),
    fixed: fee.fixed,
    floor: fee.floor,
    cap: fee.cap ?? '',
  });
  const box = (field: keyof Typed, label: string, help?: string) => (
    <Input
      name={field}
      label={label}
      help={help}
      inputMode="decimal"
      autoComplete="off"
      value={terms[field]}
      required={field === 'cap' ? false : undefined}
      onChange={({ target }) => setTerms({ ...terms, [field]: target.value })}
    />
  );

  async function send(): Promise<void> {
    toastOutcome(await sendFee(id, terms), t('The fee applies to new payments. Existing ones keep theirs.'));
    await refresh(...merchantPaths);
  }

  return (
    <Card title={t('Fee')} description={t("In the payment's own currency, and never more than its amount.")}>
      <Form onSend={send}>
        <div className="grid gap-4 sm:grid-cols-2">
          {box('bps', t('Basis points'), percentHelp(terms.bps))}
          {box('fixed', t('Fixed part'), t('Added to each payment.'))}
          {box('floor', t('At least'))}
          {box('cap', t('At most'))}
        </div>
        <Examples terms={useDeferredValue(terms)} />
        <div>
          <SubmitButton>{t('Change the fee')}</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function percentHelp(bps: string): string {
  return /^\d{1,5}$/.test(bps)
    ? t('{bps}% of the amount.', { bps: percentOf(Number.parseInt(bps, 10)) })
    : t('From 0 to 10000; 100 are 1%.');
}

function Examples({ terms }: { terms: Typed }): ReactNode {
  const { data, isError, error } = useFeeExamples(terms);
  if (isError) return <p className="text-sm text-lost">{ofGateway(error.message)}</p>;
  return (
    <table className="w-full text-sm tabular-nums">
      <caption className="sr-only">{t('Examples of the fee')}</caption>
      <thead className="text-quiet">
        <tr className="border-b border-line">
          <th scope="col" className="py-1.5 text-left font-semibold">
            {t('Payment')}
          </th>
          <th scope="col" className="py-1.5 text-right font-semibold">
            {t('Fee')}
          </th>
          <th scope="col" className="py-1.5 text-right font-semibold">
            {t('Merchant gets')}
          </th>
        </tr>
      </thead>
      <tbody>
        {(data?.examples ?? blank).map(({ amount, fee, merchant_receives }) => (
          <tr key={amount} className="border-b border-line last:border-0">
            <td className="py-1.5">{amountText(amount)}</td>
            <td className="py-1.5 text-right">{data ? amountText(fee) : fee}</td>
            <td className="py-1.5 text-right">{data ? amountText(merchant_receives) : merchant_receives}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const blank = ['10', '100', '1000'].map((amount) => ({ amount, fee: '…', merchant_receives: '…' }));
