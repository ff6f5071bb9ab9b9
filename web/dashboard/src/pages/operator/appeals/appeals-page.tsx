import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { AppealList } from '../../appeals/appeal-list.tsx';
import type { Side } from '../../appeals/side.ts';

const route = getRouteApi('/shell/operator/appeals');

const side: Side = {
  as: 'operator',
  base: '/console/operator/appeals',
  mayAnswer: true,
  mayDecide: true,
  changes: ['/console/operator'],
};

/** Appeals of every business: the operator decides those that customers opened. */
export function OperatorAppealsPage(): ReactNode {
  return (
    <>
      <PageHeader
        title={t('Appeals')}
        description={t(
          'Appeals of every business. You decide those that a customer opened, the business decides the others.',
        )}
      />
      <AppealList side={side} search={route.useSearch()} />
    </>
  );
}
