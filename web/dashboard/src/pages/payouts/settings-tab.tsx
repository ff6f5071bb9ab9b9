import type { ReactNode } from 'react';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { RefundSettings } from '../payments/refunds/refund-settings.tsx';
import { AddressBook } from './address-book.tsx';
import { FundingSettings } from './funding-settings.tsx';
import { usePayoutSettings } from './queries.ts';
import { Schedules } from './schedules.tsx';
import { SettingsForm } from './settings-form.tsx';

/** Who may pay out, how much without approval, and where to; what fund-user may, and what refunds do. */
export function PayoutSettingsTab(): ReactNode {
  const settings = usePayoutSettings();
  return (
    <>
      {settings.data ? (
        <SettingsForm key={JSON.stringify(settings.data)} settings={settings.data} />
      ) : settings.isError ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <SkeletonRows rows={4} />
      )}
      <FundingSettings />
      <RefundSettings />
      <AddressBook />
      <Schedules />
    </>
  );
}
