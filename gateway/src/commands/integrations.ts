import { commandActor, recordChange } from '../identity/audit/audit-log.ts';
import { type Approval, createIntegration } from '../identity/integration.ts';
import { decideApproval } from '../identity/integrations/approval.ts';
import { createSigningKey } from '../identity/keys/keys.ts';
import { systemClock } from '../kit/clock.ts';
import { type Tx, transaction } from '../kit/db/db.ts';
import { isUuid } from '../kit/ids.ts';
import { openSeal } from '../operations/master-key.ts';
import { withDatabase } from './with-database.ts';

/** Makes an integration and prints its keys, which are shown only now. Returns the exit code. */
export async function makeIntegration(env: NodeJS.ProcessEnv, name: string): Promise<number> {
  const made = await withDatabase(env, async (db, config) => {
    const seal = await openSeal(db, config.masterKey);
    return await transaction(db, async (tx) => {
      const now = systemClock();
      const integrationId = await createIntegration(tx, { name }, now);
      return {
        integration_id: integrationId,
        secret_key: await createSigningKey(tx, seal, { integrationId, mode: 'test' }, now),
        live_secret_key: await createSigningKey(tx, seal, { integrationId, mode: 'live' }, now),
      };
    });
  });
  process.stdout.write(`${JSON.stringify(made, null, 2)}\n`);
  return 0;
}

/** Approves an integration for live payments, or suspends it. Returns the exit code. */
export async function setIntegrationApproval(
  env: NodeJS.ProcessEnv,
  id: string,
  approval: 'approved' | 'suspended',
): Promise<number> {
  const known =
    isUuid(id) && (await withDatabase(env, (db) => transaction(db, (tx) => setApproval(tx, id, approval))));
  if (!known) throw new Error(`there is no integration ${id}`);
  process.stdout.write(`${id} is ${approval}\n`);
  return 0;
}

/** False when there is no such integration. Does nothing when it has that state already. */
async function setApproval(tx: Tx, id: string, approval: 'approved' | 'suspended'): Promise<boolean> {
  const { rows } = await tx.query<{ approval: Approval }>('SELECT approval FROM integrations WHERE id = $1', [
    id,
  ]);
  const current = rows[0]?.approval;
  if (current === undefined || current === approval) return current !== undefined;
  const approve = current === 'suspended' ? 'resume' : 'approve';
  const now = systemClock();
  const decision = approval === 'approved' ? approve : 'suspend';
  const { change } = await decideApproval(tx, { id, decision, reason: null }, now);
  await recordChange(tx, commandActor, change, now);
  return true;
}
