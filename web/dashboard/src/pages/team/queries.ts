import type { UseQueryResult } from '@tanstack/react-query';
import type {
  OpenInvitation as Invitation,
  Member,
  MemberRole,
  Roles as RolesAnswer,
} from '../../../../../gateway/src/identity/console/answers/team.ts';
import { type Page, useList, useRead } from '../../api/list.ts';

export type { Invitation, Member, MemberRole, RolesAnswer };

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

export function useRoles(merchantId: string): UseQueryResult<RolesAnswer> {
  return useRead<RolesAnswer>(`${merchantPath(merchantId)}/roles`);
}
