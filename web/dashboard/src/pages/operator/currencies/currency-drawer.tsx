import { type ReactNode, useState } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { t } from '../../../texts/t.ts';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { Form, type FormValues } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { type CurrencyTerms, currenciesPath, sendCurrency } from './queries.ts';

/** Changes the terms of new payments in a currency. */
export function CurrencyDrawer({ terms, onClose }: { terms: CurrencyTerms; onClose: () => void }): ReactNode {
  const { currency, networks } = terms;
  const refresh = useRefresh();
  const [fallback, setFallback] = useState(terms.default_asset);

  async function send(values: FormValues): Promise<void> {
    await sendCurrency(currency, {
      offered: values.offered === 'on',
      minimum_usd: values.minimum_usd ?? '',
      quote_decimals: Number(values.quote_decimals),
      default_asset: fallback,
      hidden_assets: networks
        .map(({ asset }) => asset)
        .filter((asset) => asset !== fallback && values[`network ${asset}`] !== 'on'),
    });
    toast(t('{currency} is changed for new payments.', { currency }));
    onClose();
    await refresh(currenciesPath);
  }

  return (
    <Drawer open onClose={onClose} title={currency}>
      <Form onSend={send}>
        <Switch
          name="offered"
          label={t('Offered for new payments')}
          help={t('When off, creating one answers “Currency not supported”. Existing payments continue.')}
          defaultChecked={terms.offered}
        />
        <Input
          name="minimum_usd"
          label={t('Minimum, in USD')}
          help={t('Test mode counts every currency as one dollar.')}
          inputMode="decimal"
          autoComplete="off"
          required
          defaultValue={terms.minimum_usd}
        />
        <Select
          name="quote_decimals"
          label={t('Decimals of what a price comes to')}
          help={t('Rounded up, so that people can type it.')}
          defaultValue={String(terms.quote_decimals)}
          choices={['0', '1', '2', '3', '4', '5', '6', '7'].map((value) => ({ value, label: value }))}
        />
        <Select
          label={t('Default network')}
          help={t('The network of {currency} where a call names none, such as fund-user.', { currency })}
          value={fallback}
          onChange={({ target }) => setFallback(target.value)}
          choices={networks.map(({ asset, network }) => ({ value: asset, label: network }))}
        />
        <fieldset>
          <legend className="mb-1 text-sm font-semibold">{t('Networks to choose from')}</legend>
          {networks.map(({ asset, network, decimals, offered }) => (
            <Checkbox
              key={`${asset} ${asset === fallback}`}
              name={`network ${asset}`}
              label={
                <>
                  {network} <span className="text-quiet">· {t('{decimals} decimals', { decimals })}</span>
                  {asset === fallback && (
                    <span className="text-quiet"> · {t('the default, always offered')}</span>
                  )}
                </>
              }
              defaultChecked={offered || asset === fallback}
              disabled={asset === fallback}
            />
          ))}
        </fieldset>
        <div>
          <SubmitButton>{t('Change {currency}', { currency })}</SubmitButton>
        </div>
      </Form>
    </Drawer>
  );
}
