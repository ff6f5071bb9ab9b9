import type { UseQueryResult } from '@tanstack/react-query';
import type {
  HeldItem,
  OpenInvitation as Invitation,
  Member,
  MemberRole,
  Roles as RolesAnswer,
} from '../../../../../gateway/src/identity/console/answers/team.ts';
import { type Page, useList, useRead } from '../../api/list.ts';

export type { HeldItem, Invitation, Member, MemberRole, RolesAnswer };

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

/** What stops when a member gets a role, or without one is removed. */
export function useHeld(
  merchantId: string,
  accountId: string,
  role: MemberRole | undefined,
): UseQueryResult<Page<HeldItem>> {
  return useRead<Page<HeldItem>>(`${membersPath(merchantId)}/${accountId}/held`, role && { role });
}

export function useRoles(merchantId: string): UseQueryResult<RolesAnswer> {
  return useRead<RolesAnswer>(`${merchantPath(merchantId)}/roles`);
}
