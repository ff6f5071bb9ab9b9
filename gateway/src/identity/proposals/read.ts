import type { Reader } from '../../kit/db/db.ts';

const proposalStates = ['open', 'done', 'refused', 'cancelled', 'expired', 'failed'] as const;
type ProposalState = (typeof proposalStates)[number];

/** A proposal as it is stored, with the names of people. */
export type Proposal = {
  id: string;
  kind: string;
  input: { params: Record<string, string>; body: unknown };
  subject: { kind: string; id: string };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  integration: { id: string; name: string } | null;
  merchant_id: string | null;
  asked_at: Date;
  asked_by: { id: string; email: string; is_operator: boolean };
  due_at: Date | null;
  expires_at: Date;
  state: ProposalState;
  ended_at: Date | null;
  ended_by: { id: string; email: string } | null;
  why: string | null;
};

const columns = `p.id, p.kind, p.input, p.before, p.after, p.merchant_id, p.asked_at, p.due_at, p.expires_at, p.state,
  p.ended_at, p.why,
  json_build_object('kind', p.subject_kind, 'id', p.subject_id) AS subject,
  CASE WHEN i.id IS NOT NULL THEN json_build_object('id', i.id, 'name', i.name) END AS integration,
  json_build_object('id', a.id, 'email', a.email, 'is_operator', a.is_operator) AS asked_by,
  CASE WHEN e.id IS NOT NULL THEN json_build_object('id', e.id, 'email', e.email) END AS ended_by`;
const tables = `proposals p JOIN accounts a ON a.id = p.asked_by
  LEFT JOIN accounts e ON e.id = p.ended_by LEFT JOIN integrations i ON i.id = p.integration_id`;

/** Open proposals, or those that ended, newest first. */
export async function listProposals(
  reader: Reader,
  { isOpen, before, limit }: { isOpen: boolean; before: string | null; limit: number },
): Promise<Proposal[]> {
  const { rows } = await reader.query<Proposal>(
    `SELECT ${columns} FROM ${tables}
     WHERE (p.state = 'open') = $1 AND ($2::uuid IS NULL OR p.id < $2) ORDER BY p.id DESC LIMIT $3`,
    [isOpen, before, limit],
  );
  return rows;
}

/** One proposal; null for an unknown id. */
export async function findProposal(reader: Reader, id: string): Promise<Proposal | null> {
  const { rows } = await reader.query<Proposal>(`SELECT ${columns} FROM ${tables} WHERE p.id = $1`, [id]);
  return rows[0] ?? null;
}
