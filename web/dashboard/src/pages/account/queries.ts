import type { UseQueryResult } from '@tanstack/react-query';
import type { Passkey, SessionItem } from '../../../../../gateway/src/identity/console/answers/account.ts';
import { type Page, useList } from '../../api/list.ts';

export type { Passkey, SessionItem };

export const accountPath = '/console/account';
export const sessionsPath = `${accountPath}/sessions`;
export const passkeysPath = `${accountPath}/passkeys`;
export const activityPath = `${accountPath}/activity`;

export function useSessions(): UseQueryResult<Page<SessionItem>> {
  return useList<SessionItem>(sessionsPath);
}

export function usePasskeys(): UseQueryResult<Page<Passkey>> {
  return useList<Passkey>(passkeysPath);
}
