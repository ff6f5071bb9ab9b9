import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DemoFile } from '../../gateway/src/demo/seed.ts';
import type { Database } from '../../gateway/src/kit/db/db.ts';
import { childEnvironment } from '../../gateway/test/suite/child-environment.ts';
import { createApi } from '../../gateway/test/support/api.ts';
import { isSignedWith, type Receiver } from '../../gateway/test/webhooks/receiver.ts';
import { root } from '../../scripts/programs.ts';
import { fundedUnits, type Ordered } from './shop.ts';

export type Around = {
  url: string;
  demo: DemoFile;
  db: Database;
  settings: Record<string, string>;
  receiver: Receiver;
};

/** What is missing, and what is there more often than it was ordered; and how many webhooks came. */
export type Reckoned = { lost: string[]; doubled: string[]; books: string[]; webhooks: string };

const settledMs = 300_000;
const readersAtOnce = 20;

/** Waits until nothing is under way any more, and compares what there is with what was ordered. */
export async function reckon(ordered: Ordered, around: Around): Promise<Reckoned> {
  await settle(around);
  const lost: string[] = [];
  const doubled: string[] = [];
  await readEach(ordered, around, lost);
  await countRows(ordered, around, { lost, doubled });
  const webhooks = compareWebhooks(ordered, around, { lost, doubled });
  return { lost, doubled, books: await audit(around), webhooks };
}

const openSql = `SELECT
  (SELECT count(*)::integer FROM payouts WHERE status NOT IN ('completed', 'cancelled', 'rejected', 'failed')) AS payouts,
  (SELECT count(*)::integer FROM deliveries WHERE status = 'pending') AS deliveries`;

async function settle({ db }: Around): Promise<void> {
  const endMs = performance.now() + settledMs;
  for (;;) {
    const { rows } = await db.query<{ payouts: number; deliveries: number }>(openSql);
    if (rows.every(({ payouts, deliveries }) => payouts + deliveries === 0)) return;
    if (performance.now() > endMs) throw new Error(`It does not come to rest: ${JSON.stringify(rows)}`);
    await sleep(250);
  }
}

/** Asks the API for each thing that it said to have done. */
async function readEach(ordered: Ordered, { url, demo }: Around, lost: string[]): Promise<void> {
  const api = createApi(url, demo.secret_key);
  const payoutApi = createApi(url, demo.payout_keys?.test ?? '');
  const statusOf = async (path: string): Promise<string> => {
    const { body } = await payoutApi<{ status: string; items?: { status: string }[] }>('GET', path);
    return body.data?.status ?? body.data?.items?.map(({ status }) => status).join() ?? body.message;
  };
  const looks = [
    ...ordered.payments.map((reference) => async () => {
      const { body } = await api<{ payment_status: string }>('GET', `/payment/info/${reference}`);
      return `payment ${reference}: ${body.data?.payment_status ?? body.message}`;
    }),
    ...ordered.refunds.map((reference) => async () => {
      return `refund ${reference}: ${await statusOf(`/payments/${reference}/refunds`)}`;
    }),
    ...ordered.payouts.map((reference) => async () => {
      return `payout ${reference}: ${await statusOf(`/payouts/${reference}`)}`;
    }),
  ];
  async function reader(): Promise<void> {
    for (let look = looks.pop(); look; look = looks.pop()) {
      const found = await look();
      if (!/: (?:completed|sent)$/.test(found)) lost.push(found);
    }
  }
  await Promise.all(Array.from({ length: readersAtOnce }, reader));
}

type Faults = { lost: string[]; doubled: string[] };

const countsSql = `SELECT
  (SELECT count(*) FROM payments WHERE reference LIKE 'ORDER-%') AS payments,
  (SELECT count(*) FROM payouts WHERE purpose = 'refund') AS refunds,
  (SELECT count(*) FROM payouts WHERE purpose = 'merchant_payout') AS payouts,
  (SELECT count(*) FROM ledger_transfers WHERE cause = 'fund_user') AS fundings,
  (SELECT coalesce(sum(units), 0) FROM ledger_transfers WHERE cause = 'fund_user') AS funded`;

async function countRows(ordered: Ordered, { db }: Around, { lost, doubled }: Faults): Promise<void> {
  const { rows } = await db.query<Record<string, bigint>>(countsSql);
  const { payments, refunds, payouts, fundings } = ordered;
  const wanted = {
    payments: payments.length,
    refunds: refunds.length,
    payouts: payouts.length,
    fundings,
    funded: BigInt(fundings) * fundedUnits,
  };
  for (const [name, count] of Object.entries(wanted)) {
    const found = rows[0]?.[name] ?? 0n;
    if (found < BigInt(count)) lost.push(`${name}: ${found} in place of ${count}`);
    if (found > BigInt(count)) doubled.push(`${name}: ${found} in place of ${count}`);
  }
}

/** Each completed payment and payout is told by one event, as often as it comes. */
function compareWebhooks(ordered: Ordered, { receiver, demo }: Around, { lost, doubled }: Faults): string {
  const events = new Map<string, Set<string>>();
  for (const { raw, body, headers } of receiver.received) {
    const about = `${body.event_type} ${body.payment_reference ?? body.payout_reference}`;
    events.set(about, (events.get(about) ?? new Set()).add(body.event_id));
    if (!isSignedWith(demo.secret_key, raw, headers['x-signature']))
      lost.push(`a right signature of ${about}`);
  }
  const wanted = [
    ...ordered.payments.map((reference) => `payment_completed ${reference}`),
    ...ordered.refunds.map((reference) => `payment_refunded ${reference}`),
    ...ordered.payouts.map((reference) => `payout_completed ${reference}`),
  ];
  for (const each of wanted) if (!events.has(each)) lost.push(`webhook ${each}`);
  for (const [about, ids] of events)
    if (ids.size > 1) doubled.push(`webhook ${about} has ${ids.size} events`);
  const different = [...events.values()].reduce((sum, ids) => sum + ids.size, 0);
  return `${receiver.received.length} webhooks of ${different} events`;
}

async function audit({ settings }: Around): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'cli/src/main.ts'), 'audit', '--json'],
    { env: { ...childEnvironment, ...settings } },
  ).catch((error: { stdout: string }) => error);
  return (JSON.parse(stdout).findings as object[]).map((finding) => JSON.stringify(finding));
}
