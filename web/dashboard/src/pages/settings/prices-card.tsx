import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import type { FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SettingsForm } from '../../ui/form/settings-form.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { quoteChoices } from './durations.ts';
import type { Settings } from './queries.ts';

/** How prices in other money are quoted. */
export function PricesCard({ settings, may }: { settings: Settings; may: boolean }): ReactNode {
  const { integrationPath } = useScope();

  async function save({ quote_seconds, price_adjustment }: FormValues): Promise<void> {
    const body = {
      quote_seconds: Number(quote_seconds),
      price_adjustment: Math.round(Number(price_adjustment) * 100),
    };
    await api(integrationPath(''), { method: 'PATCH', body });
  }

  return (
    <Card
      title={t('Prices in other money')}
      description={t(
        'For payments whose price is in EUR, USD or another currency, and which are paid in coins.',
      )}
    >
      <SettingsForm
        label={t('Prices in other money')}
        may={may}
        onSend={save}
        done={t('Settings saved')}
        changes={[integrationPath('')]}
        wide
      >
        <Select
          name="quote_seconds"
          label={t('How long a rate holds in live mode')}
          help={t('From the moment the customer first chooses a coin.')}
          defaultValue={String(settings.quote_seconds)}
          choices={quoteChoices(settings.quote_seconds)}
        />
        <Input
          name="price_adjustment"
          label={t('Added to the price, in percent')}
          help={t('Less than 0 is a discount for paying in coins. From -10 to 10.')}
          defaultValue={String(settings.price_adjustment / 100)}
          inputMode="decimal"
          pattern="-?\d{1,2}(\.\d{1,2})?"
          required
        />
      </SettingsForm>
    </Card>
  );
}
