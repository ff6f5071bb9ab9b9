import type { UseQueryResult } from '@tanstack/react-query';
import type {
  Applicant,
  ApplicantDetail,
} from '../../../../../../gateway/src/identity/console/answers/integrations.ts';
import { type Page, useList, useRead } from '../../../api/list.ts';
import type { Approval } from '../../../api/session.ts';

export type { Applicant, ApplicantDetail };

export const approvalsPath = '/console/operator/approvals';

export function useApplicants(status: Approval, cursor: string | undefined): UseQueryResult<Page<Applicant>> {
  return useList<Applicant>(approvalsPath, { status, cursor });
}

export function useApplicant(id: string): UseQueryResult<ApplicantDetail> {
  return useRead<ApplicantDetail>(`${approvalsPath}/${id}`);
}
