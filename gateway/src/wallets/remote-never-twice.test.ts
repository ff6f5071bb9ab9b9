import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RemoteSite, startRemoteSite, unit } from '../../test/remote-wallets/remote-site.ts';
import type { Fault } from '../../test/remote-wallets/remote-wallets-server.ts';
import { testDatabase } from '../../test/support/database.ts';
import { Refusal } from '../kit/errors.ts';
import { auditLedger } from '../ledger/audit.ts';
import { decimalOf } from '../money/money.ts';

const { db } = await testDatabase();

type Step = { fund: number } | { reconcilers: number } | { irreversible: boolean };

const fault = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  {
    weight: 8,
    arbitrary: fc.constantFrom<Fault>(
      'dropped',
      'error',
      'done, then dropped',
      'done, then error',
      'done, then garbage',
    ),
  },
  // Each of these costs a timeout.
  { weight: 1, arbitrary: fc.constantFrom<Fault>('silent', 'done, then silent', 'overtaken') },
);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ fund: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ reconcilers: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ irreversible: fc.boolean() }) },
);

/** Does the steps while the remote fails as scheduled; returns the keys whose funding was told as done. */
async function run(site: RemoteSite, steps: Step[], faults: (Fault | null)[]): Promise<Set<string>> {
  const done = new Set<string>();
  let calls = 0;
  site.remote.faultOf = () => faults[calls++ % faults.length] ?? null;
  for (const each of steps) {
    if ('irreversible' in each) site.remote.irreversible = each.irreversible;
    else if ('reconcilers' in each) {
      const reconcilers = Array.from({ length: each.reconcilers }, () => site.backend(site.client));
      await Promise.all(reconcilers.map((backend) => backend.reconcile()));
    } else {
      const key = site.keyFor(`intent ${each.fund}`);
      const answer = await site.wallets
        .fund(site.funding({ key, units: BigInt(each.fund + 1) * unit }))
        .catch((error: unknown) => (error instanceof Refusal ? null : Promise.reject(error)));
      if (answer) done.add(key.key);
    }
    // Past the time in which a call's own request answers for it, so that a retry need not wait.
    site.clock.advance(11);
  }
  return done;
}

async function settle(site: RemoteSite): Promise<void> {
  site.heal();
  for (let tries = 0; tries < 20; tries++) {
    site.clock.advance(301);
    if ((await site.wallets.reconcile()) === 0) return;
  }
  throw new Error('The reconciler never came to an end');
}

/** What the remote has booked and what our ledger says that it has, each as `id amount`. */
async function books(site: RemoteSite): Promise<{ there: string[]; here: string[] }> {
  const { rows } = await db.query<{ id: string; units: bigint }>(
    `SELECT t.id, t.units FROM ledger_transfers t JOIN ledger_accounts a ON a.id = t.debit
     WHERE t.cause = 'fund_user' AND a.owner = $1`,
    [site.shop],
  );
  const applied = [...site.remote.book].filter(([, { state }]) => state === 'applied');
  return {
    there: applied.map(([id, { amount }]) => `${id} ${amount}`).sort(),
    here: rows.map(({ id, units }) => `${id} ${decimalOf(units, 18)}`).sort(),
  };
}

/** The keys of all that was paid, one entry for each payment. */
async function paidKeys(site: RemoteSite): Promise<string[]> {
  const { rows } = await db.query<{ idempotency_key: string }>(
    "SELECT idempotency_key FROM remote_fundings WHERE integration_id = $1 AND state = 'posted'",
    [site.shop],
  );
  return rows.map((row) => row.idempotency_key);
}

test('whatever goes wrong and when, nothing is paid twice and both books agree in the end', async () => {
  const schedules = fc.array(fault, { minLength: 1, maxLength: 12 });
  const plans = fc.array(step, { minLength: 8, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(plans, schedules, async (steps, faults) => {
      const site = await startRemoteSite(db, 80);
      try {
        const done = await run(site, steps, faults);
        await settle(site);
        const { there, here } = await books(site);
        expect(here).toEqual(there);
        const paid = await paidKeys(site);
        expect(new Set(paid).size).toBe(paid.length);
        for (const key of done) expect(paid).toContain(key);
        expect((await site.balance()).held).toBe(0n);
        expect((await auditLedger(db)).findings).toEqual([]);
      } finally {
        await site.close();
      }
    }),
    { numRuns: 12 },
  );
});
