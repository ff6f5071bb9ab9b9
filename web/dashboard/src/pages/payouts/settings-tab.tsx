import type { ReactNode } from 'react';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { OwnWallet } from '../own-wallet/own-wallet.tsx';
import { RefundSettings } from '../payments/refunds/refund-settings.tsx';
import { AddressBook } from './address-book.tsx';
import { FundingSettings } from './funding-settings.tsx';
import { usePayoutSettings } from './queries.ts';
import { Schedules } from './schedules.tsx';
import { PayoutSettingsForm } from './settings-form.tsx';

/** Who may pay out, how much without approval, and where to; what fund-user may, and what refunds do. */
export function PayoutSettingsTab(): ReactNode {
  const settings = usePayoutSettings();
  return (
    <>
      <Loaded query={settings}>
        {(data) => <PayoutSettingsForm key={JSON.stringify(data)} settings={data} />}
      </Loaded>
      <FundingSettings />
      <RefundSettings />
      <OwnWallet />
      <AddressBook />
      <Schedules />
    </>
  );
}
