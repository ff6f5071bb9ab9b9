import type { UseQueryResult } from '@tanstack/react-query';
import { type Page, useList, useRead } from '../../../api/list.ts';
import type { Mode } from '../../../api/scope.ts';
import type { Approval } from '../../../api/session.ts';

/** An integration as an operator judges it. */
export type Applicant = {
  id: string;
  name: string;
  logo_url: string | null;
  merchant: { id: string; name: string } | null;
  approval: Approval;
  reason: string | null;
  domain: string | null;
  domain_verified: boolean;
  requested_at: string | null;
  decided_at: string | null;
  created_at: string;
};

export type ApplicantDetail = Applicant & {
  tasks: { slug: string; title: string; done: boolean; help: string }[];
  /** Completed payments of the last 30 days. */
  volume: { mode: Mode; currency: string; payments: string; amount: string }[];
};

export const approvalsPath = '/console/operator/approvals';

export function useApplicants(status: Approval, cursor: string | undefined): UseQueryResult<Page<Applicant>> {
  return useList<Applicant>(approvalsPath, { status, cursor });
}

export function useApplicant(id: string): UseQueryResult<ApplicantDetail> {
  return useRead<ApplicantDetail>(`${approvalsPath}/${id}`);
}
