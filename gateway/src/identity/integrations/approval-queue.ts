import type { Reader } from '../../kit/db/db.ts';
import type { Approval, IntegrationId } from '../integration.ts';
import { hasOwnAddressSql } from '../own-addresses.ts';
import { logoUrlSql } from './settings.ts';

/** An integration as an operator sees it before a decision. */
export type Applicant = {
  id: IntegrationId;
  name: string;
  logo_url: string | null;
  merchant: { id: string; name: string } | null;
  approval: Approval;
  reason: string | null;
  domain: string | null;
  domain_verified: boolean;
  requested_at: Date | null;
  decided_at: Date | null;
  created_at: Date;
  /** The installation asks for an own address, and none is set for live payments. */
  lacks_own_address: boolean;
};

const columnsOf = (isDirectAsked: boolean): string => `i.id, i.name, ${logoUrlSql} AS logo_url,
  CASE WHEN m.id IS NOT NULL THEN json_build_object('id', m.id, 'name', m.name) END AS merchant,
  i.approval, i.approval_reason AS reason, i.domain, i.domain_verified_at IS NOT NULL AS domain_verified,
  i.approval_requested_at AS requested_at, i.approval_decided_at AS decided_at, i.created_at,
  ${isDirectAsked} AND NOT ${hasOwnAddressSql} AS lacks_own_address`;

/** Up to `limit` integrations of a state before the integration `before` (or the newest), newest first. */
export async function listApplicants(
  reader: Reader,
  { status, before, limit }: { status: Approval; before: string | null; limit: number },
  isDirectAsked: boolean,
): Promise<Applicant[]> {
  const { rows } = await reader.query<Applicant>(
    `SELECT ${columnsOf(isDirectAsked)} FROM integrations i LEFT JOIN merchants m ON m.id = i.merchant_id
     WHERE i.approval = $1 AND ($2::uuid IS NULL OR i.id < $2) ORDER BY i.id DESC LIMIT $3`,
    [status, before, limit],
  );
  return rows;
}

export async function findApplicant(
  reader: Reader,
  id: string,
  isDirectAsked: boolean,
): Promise<Applicant | null> {
  const { rows } = await reader.query<Applicant>(
    `SELECT ${columnsOf(isDirectAsked)} FROM integrations i LEFT JOIN merchants m ON m.id = i.merchant_id WHERE i.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}
