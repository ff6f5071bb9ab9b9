import type { UseQueryResult } from '@tanstack/react-query';
import type {
  HeldItem,
  OpenInvitation as Invitation,
  KeyOfMember,
  Member,
  MemberRole,
  Permission,
  Roles as RolesAnswer,
} from '../../../../../gateway/src/identity/console/answers/team.ts';
import { type Page, useList, useRead } from '../../api/list.ts';

export type { HeldItem, Invitation, KeyOfMember, Member, MemberRole, Permission, RolesAnswer };

export const memberRoles = [
  'owner',
  'developer',
  'finance',
  'support',
  'read-only',
] as const satisfies readonly MemberRole[];
export const merchantPath = (merchantId: string) => `/console/merchants/${merchantId}`;
export const membersPath = (merchantId: string) => `${merchantPath(merchantId)}/members`;
export const invitationsPath = (merchantId: string) => `${merchantPath(merchantId)}/invitations`;

export function useMembers(merchantId: string, cursor: string | undefined): UseQueryResult<Page<Member>> {
  return useList<Member>(membersPath(merchantId), { cursor });
}

export function useInvitations(merchantId: string, enabled = true): UseQueryResult<Page<Invitation>> {
  return useList<Invitation>(invitationsPath(merchantId), {}, undefined, enabled);
}

/** A member who gets a role, or without one is removed. */
export type Changed = { merchantId: string; accountId: string; role?: MemberRole | undefined };

const useBefore = <T>({ merchantId, accountId, role }: Changed, what: string): UseQueryResult<Page<T>> =>
  useRead<Page<T>>(`${membersPath(merchantId)}/${accountId}/${what}`, role && { role });

/** What stops with the change. */
export const useHeld = (changed: Changed): UseQueryResult<Page<HeldItem>> => useBefore(changed, 'held');

/** The keys that the member made; none where the new role may do all that the old one may. */
export const useKeysMade = (changed: Changed): UseQueryResult<Page<KeyOfMember>> =>
  useBefore(changed, 'keys');

export function useRoles(merchantId: string): UseQueryResult<RolesAnswer> {
  return useRead<RolesAnswer>(`${merchantPath(merchantId)}/roles`);
}
