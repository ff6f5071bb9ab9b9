import type { UseQueryResult } from '@tanstack/react-query';
import type {
  ApprovalState,
  FeeTerms,
  Settings,
  Task,
} from '../../../../../gateway/src/identity/console/answers/integrations.ts';
import type { Key, KeyChoices } from '../../../../../gateway/src/identity/console/answers/keys.ts';
import { type Page, useRead } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';

export type { ApprovalState, FeeTerms, Key, KeyChoices, Settings, Task };

export function useSettings(): UseQueryResult<Settings> {
  return useRead<Settings>(useScope().integrationPath(''));
}

export function useKeys(): UseQueryResult<Page<Key>> {
  return useRead<Page<Key>>(useScope().path('/keys'), { limit: '100' });
}

export function useKeyChoices(): UseQueryResult<KeyChoices> {
  return useRead<KeyChoices>(useScope().path('/keys/choices'));
}

export function useApproval(): UseQueryResult<ApprovalState> {
  return useRead<ApprovalState>(useScope().integrationPath('/approval'));
}
