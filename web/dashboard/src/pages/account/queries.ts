import type { UseQueryResult } from '@tanstack/react-query';
import { type Page, useList } from '../../api/list.ts';

export const accountPath = '/console/account';
export const sessionsPath = `${accountPath}/sessions`;
export const passkeysPath = `${accountPath}/passkeys`;
export const activityPath = `${accountPath}/activity`;

/** A valid session of the person. */
export type SessionItem = {
  id: string;
  created_at: string;
  seen_at: string;
  address: string | null;
  user_agent: string | null;
  /** The session of this browser. */
  current: boolean;
};

export type Passkey = { id: string; name: string | null; created_at: string; backed_up: boolean };

export function useSessions(): UseQueryResult<Page<SessionItem>> {
  return useList<SessionItem>(sessionsPath);
}

export function usePasskeys(): UseQueryResult<Page<Passkey>> {
  return useList<Passkey>(passkeysPath);
}
