import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay, useScope } from '../../api/scope.ts';
import { useKeyWord } from '../../api/test-key.ts';
import { t } from '../../texts/t.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { AppealList } from './appeal-list.tsx';

const route = getRouteApi('/shell/i/$integration/$mode/appeals');

const disputeCommand = (
  key: string,
): string => `curl -X POST "${location.origin}/test/payments/PAYMENT_REFERENCE/simulate" \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"outcome":"dispute"}'`;

/** The appeals of the integration. */
export function AppealsPage(): ReactNode {
  const { path, mode } = useScope();
  const key = useKeyWord();
  const side = {
    as: 'merchant',
    base: path('/appeals'),
    mayAnswer: useMay('answer appeals'),
    mayDecide: useMay('accept appeals'),
    changes: [path('/payments'), path('/balances'), path('/overview')],
  } as const;
  return (
    <>
      <PageHeader
        title={t('Appeals')}
        description={t(
          'Payments that were part paid, paid late or affected by a reorg, and those that customers dispute.',
        )}
      />
      <AppealList
        side={side}
        search={route.useSearch()}
        {...(mode === 'test' && { emptyCode: disputeCommand(key) })}
      />
    </>
  );
}
