import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Form, type FormValues } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Switch } from '../../ui/form/switch.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { toast } from '../../ui/toast/toast.ts';
import type { PayoutSettingsData } from './queries.ts';

/** What the owner decides about payouts. */
export function SettingsForm({ settings }: { settings: PayoutSettingsData }): ReactNode {
  const { path, mode } = useScope();
  const may = useMay('manage payouts');
  const refresh = useRefresh();
  const [approvals, setApprovals] = useState(String(settings.approvals));

  async function save(values: FormValues): Promise<void> {
    const amounts = settings.assets.flatMap((asset): [string, string][] => {
      const amount = values[`above ${asset}`]?.trim();
      return amount ? [[asset, amount]] : [];
    });
    // What is not shown keeps its amount.
    const above = approvals === '0' ? settings.approve_above : Object.fromEntries(amounts);
    await api(path('/payout-settings'), {
      method: 'PUT',
      body: {
        enabled: mode === 'test' || values.enabled === 'on',
        approvals: Number(approvals),
        approve_above: above,
        known_addresses_only: values.known_addresses_only === 'on',
      },
    });
    toast('Payout settings saved');
    await refresh(path('/payout-settings'), path('/payout-assets'));
  }

  return (
    <Card
      title="Payouts"
      description={
        mode === 'test'
          ? 'Test payouts are always on: try here what live mode will ask for.'
          : settings.enabled
            ? 'Your people and your servers may send money from your balance to addresses.'
            : 'Off until an owner turns them on.'
      }
    >
      {!may && <Banner>Only owners change these settings.</Banner>}
      <Form onSend={save} label="Payout settings">
        <fieldset disabled={!may} className="grid min-w-0 gap-5">
          {mode === 'live' && (
            <Switch
              name="enabled"
              label="Payouts are on"
              help="Owners and finance withdraw here. Servers need a key that names “make payouts”."
              defaultChecked={settings.enabled}
              disabled={!may}
            />
          )}
          <Switch
            name="known_addresses_only"
            label="Only addresses of the address book"
            help="A new address rests for a day, so that everybody who pays out can stop it."
            defaultChecked={settings.known_addresses_only}
            disabled={!may}
          />
          <Select
            label="Approvals by other people"
            value={approvals}
            onChange={({ target }) => setApprovals(target.value)}
            help={`Who asks never approves. ${peopleWords(settings.approvers)}`}
            choices={[
              { value: '0', label: 'None' },
              { value: '1', label: 'One' },
              { value: '2', label: 'Two' },
            ]}
          />
          {approvals !== '0' && <Amounts settings={settings} />}
        </fieldset>
        {may && (
          <div>
            <SubmitButton>Save</SubmitButton>
          </div>
        )}
      </Form>
    </Card>
  );
}

const peopleWords = (count: number): string =>
  count === 1 ? 'One person may pay out: you need another one.' : `${count} people may pay out.`;

function Amounts({ settings }: { settings: PayoutSettingsData }): ReactNode {
  return (
    <fieldset className="grid gap-3 rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-semibold">Amounts that need no approval</legend>
      <p className="text-sm text-quiet">
        Up to this amount for each payout. Empty: each payout needs approval.
      </p>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {settings.assets.map((asset) => (
          <Input
            key={asset}
            name={`above ${asset}`}
            label={assetName(asset)}
            inputMode="decimal"
            pattern="\d+(\.\d+)?"
            title="A decimal number, such as 100 or 0.5"
            autoComplete="off"
            defaultValue={settings.approve_above[asset] ?? ''}
          />
        ))}
      </div>
    </fieldset>
  );
}
