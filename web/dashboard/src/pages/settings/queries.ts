import type { UseQueryResult } from '@tanstack/react-query';
import { type Page, useRead } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import type { Approval } from '../../api/session.ts';

/** A share of the amount in basis points, with amounts in the payment's own currency. */
export type FeeTerms = { bps: number; fixed?: string; floor?: string; cap?: string | null };

export type Settings = {
  id: string;
  name: string;
  logo_url: string | null;
  domain: string | null;
  /** The text that proves the domain. */
  domain_proof: string | null;
  domain_verified_at: string | null;
  success_url: string | null;
  failure_url: string | null;
  live_deadline_seconds: number;
  late_window_seconds: number;
  fee_payer: 'merchant' | 'customer';
};

export type Key = {
  id: string;
  kind: 'signing' | 'restricted';
  name: string | null;
  /** `sk_test_…abcd` */
  hint: string;
  /** Webhooks are signed with it at this moment. */
  signing: boolean;
  actions: string[] | null;
  addresses: string[] | null;
  daily_limits: Record<string, string> | null;
  created_at: string;
  last_used_at: string | null;
  last_used_from: string | null;
  /** False once it has ended. */
  good: boolean;
  /** Set when it was rolled or revoked; it is valid until then. */
  valid_until: string | null;
};

export type KeyChoices = { actions: string[]; assets: string[] };

/** Something to do before live mode. */
export type Task = { slug: string; title: string; done: boolean; help: string };

export type ApprovalState = {
  status: Approval;
  reason: string | null;
  requested_at: string | null;
  decided_at: string | null;
  fee: FeeTerms;
  tasks: Task[];
};

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
