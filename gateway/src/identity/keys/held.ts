import type { Reader } from '../../kit/db/db.ts';
import type { Mode } from '../integration.ts';
import type { Role } from '../roles.ts';
import { actionsLost } from './maker-rights.ts';

/** A person's part in a business. */
type MemberOf = { merchantId: string; accountId: string };

/** Something that moves money while a person may do so: their key, their schedule, their approval of a schedule. */
export type Held = {
  kind: 'key' | 'schedule' | 'approval';
  integration: string;
  mode: Mode;
  /** Null: a signing key. Of a schedule the label of its address. */
  name: string | null;
  /** The end of a key's secret, or the asset of a schedule. */
  detail: string;
  /** The calls that a key may no longer make. */
  actions: string[];
};

/** Finds what another slice holds that stops when a member's role changes; `to` null: the member is removed. */
export type HeldBy = (
  reader: Reader,
  member: MemberOf,
  role: { from: Role; to: Role | null },
) => Promise<Held[]>;

type KeyRow = Pick<Held, 'integration' | 'mode' | 'name'> & { hint: string; allowed: string[] | null };

/** The valid keys of a member that could then no longer move money, with the calls that they lose. */
export const keysHeldBy =
  (now: () => Date): HeldBy =>
  async (reader, { merchantId, accountId }, { from, to }) => {
    const { rows } = await reader.query<KeyRow>(
      `SELECT i.name AS integration, k.mode, k.name, k.hint, k.allowed_actions AS allowed
       FROM api_keys k JOIN integrations i ON i.id = k.integration_id
       WHERE i.merchant_id = $1 AND k.made_by = $2 AND (k.valid_until IS NULL OR k.valid_until > $3)
       ORDER BY k.mode, k.id`,
      [merchantId, accountId, now()],
    );
    return rows.flatMap(({ hint, allowed, ...key }): Held[] => {
      const before = actionsLost(from, allowed);
      const lost = actionsLost(to, allowed).filter((action) => !before.includes(action));
      return lost.length > 0 ? [{ kind: 'key', ...key, detail: `…${hint}`, actions: lost }] : [];
    });
  };
