import type { UseQueryResult } from '@tanstack/react-query';
import { type Page, useList, useRead } from '../../api/list.ts';

export const memberRoles = ['owner', 'developer', 'finance', 'support', 'read-only'] as const;
export type MemberRole = (typeof memberRoles)[number];

export type Member = {
  account_id: string;
  name: string;
  email: string;
  role: MemberRole;
  has_two_factor: boolean;
  has_passkey: boolean;
  joined_at: string;
};

/** An open invitation. */
export type Invitation = {
  id: string;
  email: string;
  role: MemberRole;
  /** An e-mail address. */
  invited_by: string;
  created_at: string;
  expires_at: string;
};

export type RolesAnswer = {
  /** All permissions that a role can have, in the words of a refusal: `cancel payments`. */
  permissions: string[];
  items: { role: MemberRole; permissions: string[] }[];
};

export const merchantPath = (merchantId: string) => `/console/merchants/${merchantId}`;
export const membersPath = (merchantId: string) => `${merchantPath(merchantId)}/members`;
export const invitationsPath = (merchantId: string) => `${merchantPath(merchantId)}/invitations`;

export function useMembers(merchantId: string, cursor: string | undefined): UseQueryResult<Page<Member>> {
  return useList<Member>(membersPath(merchantId), { cursor });
}

export function useInvitations(merchantId: string): UseQueryResult<Page<Invitation>> {
  return useList<Invitation>(invitationsPath(merchantId));
}

export function useRoles(merchantId: string): UseQueryResult<RolesAnswer> {
  return useRead<RolesAnswer>(`${merchantPath(merchantId)}/roles`);
}
