import { after } from '../../../kit/clock.ts';
import { type Lease, writeUnderLease } from '../../../kit/db/lease.ts';
import { checksummed } from '../addresses/forwarders.ts';
import { numberOf } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { Disagreement } from '../scan/blocks/agreement.ts';
import { advanceTransaction, carriesEnded } from '../send/advance.ts';
import { coins } from '../send/coins.ts';
import type { SenderDeps } from '../send/deps.ts';
import { feesAt, type GasPrice, gweiText, readGasPrice, weiOfGwei } from '../send/fees.ts';
import type { GasKey } from '../send/key.ts';
import { fillGap, sendNext } from '../send/send-next.ts';
import { nextNonce, type UnderWay, underWay } from '../send/under-way.ts';
import { countOf, readView, type View } from '../send/view.ts';
import type { Cursor } from './cursor.ts';
import type { SigningDeps } from './deps.ts';
import { leftOut } from './events.ts';
import { failOrder, noteRefused, noteWaiting, type Order, ordersDue, unitsOnTheWay } from './orders.ts';
import { isRefusedNow, type Plan, planPayouts } from './plan.ts';
import { noteSender } from './sender-state.ts';
import { releaseUnpaid } from './settle.ts';
import { payoutWork } from './work.ts';

/** More nonces under way would all wait for the first one. */
const openAtMost = 16;
/** Orders of one round. */
const ordersAtMost = 500;
/** After how long orders are tried again that all wait for the same. */
const waitSeconds = 30;
const firstPauseSeconds = 10;
const longestPauseSeconds = 3600;

const eventsLeftOut =
  'A transaction is final, and no endpoint shows what the vault did in it: it is read again';

type Situation = { view: View; gasPrice: GasPrice; balance: bigint };
/** What it takes to send in a round. */
type Round = SenderDeps & Situation & { open: UnderWay[] };

/**
 * One round under the sender lock: it advances the transactions that are under way, and signs and sends what is due.
 * Every step is written before it is visible outside, so that a round may end anywhere. `read`: up to where the vault's
 * events were read.
 */
export async function runRound(deps: SigningDeps, lock: Lease, read: Cursor | null): Promise<void> {
  const { db, chain, endpoints, now, log } = deps;
  const key = await deps.readKey();
  const before = await underWay(db, chain.id, 'payout');
  const { value } = await endpoints.use((endpoint) => readSituation(endpoint, deps, key, before));
  const sending: SenderDeps = { ...deps, lock, key, gasPrice: value.gasPrice, work: payoutWork(db) };
  for (const each of before) await advanceTransaction(sending, each, value.view);
  // Only orders whose events were read can be released.
  if (read) await writeUnderLease(db, lock, (tx) => releaseUnpaid(tx, chain.id, read.number, now()));

  const round: Round = { ...sending, ...value, open: await underWay(db, chain.id, 'payout') };
  const isForeign = value.view.pending > nextNonce(countOf(value.view, key.address), key.address, round.open);
  let fault: string | null = null;
  if (isForeign)
    fault = `Another program sends with the key of the vault ${checksummed(key.address)}: it comes first`;
  else {
    if (read && !(await deps.isStopped(db))) fault = await sendDue(deps, round);
    await fillGap(round, value.view, round.open);
  }
  const isLeftOut = read !== null && (await leftOut(db, chain.id, read.number)).firstBlock !== null;
  const stuck = round.open.find((each) => each.fault?.startsWith(carriesEnded))?.fault ?? null;
  const warning = fault ?? (isLeftOut ? eventsLeftOut : (stuck ?? key.warning));
  if (await noteSender(db, chain.id, { signer: key.address, balance: value.balance, fault: warning })) {
    log.warn({ chain: chain.id, fault: warning }, 'paying out needs attention');
  }
}

async function readSituation(
  endpoint: Endpoint,
  { chain }: SigningDeps,
  key: GasKey,
  open: readonly UnderWay[],
): Promise<Situation> {
  const senders = new Set(open.map(({ sender }) => sender));
  senders.delete(key.address);
  const view = await readView(endpoint, chain, [key.address, ...senders], open);
  const gasPrice = await readGasPrice(endpoint);
  const [balance] = await endpoint.batch([{ method: 'eth_getBalance', params: [key.address, 'latest'] }]);
  return { view, gasPrice, balance: numberOf(balance) };
}

/** Signs and sends the orders that are due. Returns why it cannot, in words, or null. */
async function sendDue(deps: SigningDeps, round: Round): Promise<string | null> {
  const { db, chain, vault, endpoints, now } = deps;
  const place = { chainId: chain.id, vault: vault.address };
  const orders = await ordersDue(db, place, now(), ordersAtMost);
  if (orders.length === 0) return null;
  const cap = chain.sweep.maxGasPriceGwei;
  if (round.gasPrice.price > weiOfGwei(cap)) {
    const price = gweiText(round.gasPrice.price);
    return await wait(
      deps,
      orders,
      `Gas costs ${price}, more than the ${cap} gwei of sweep.max_gas_price_gwei`,
    );
  }
  const onTheWay = await unitsOnTheWay(db, chain.id);
  const room = Math.max(0, openAtMost - round.open.length);
  const facts = { chain, vault: vault.address, signer: round.key.address, orders, onTheWay, room };
  const { value: plan } = await endpoints.use((endpoint) => planPayouts(endpoint, facts));
  if (plan.fault !== null) return await wait(deps, orders, plan.fault);
  await noteLeftOut(deps, facts, plan);
  return await sendBatches(deps, round, plan);
}

async function sendBatches(deps: SigningDeps, round: Round, plan: Plan): Promise<string | null> {
  const { chain, vault } = deps;
  const { key, gasPrice, open } = round;
  const fees = feesAt(gasPrice, weiOfGwei(chain.sweep.maxGasPriceGwei));
  // Transactions under way may still cost all that they offer.
  let coinsLeft = open.reduce((left, each) => left - each.gasLimit * gasPrice.price, round.balance);
  for (const [at, { token, orders, units, gasLimit }] of plan.batches.entries()) {
    if (at > 0 && (await deps.isStopped(deps.db))) return null;
    const cost = gasLimit * (fees?.maxFee ?? 0n);
    if (cost > coinsLeft) {
      const left = plan.batches.slice(at).flatMap((batch) => batch.orders);
      const who = `The signer of the vault, ${checksummed(key.address)},`;
      const why = `${who} holds ${coins(round.balance)} ${chain.nativeSymbol}, too little for gas`;
      return await wait(deps, left, why);
    }
    coinsLeft -= cost;
    const owners = orders.map(({ id }) => id);
    await sendNext(round, { token, treasury: vault.address, owners, units, gasLimit }, round.view, open);
  }
  return null;
}

async function wait({ db, now }: SigningDeps, orders: readonly Order[], why: string): Promise<string> {
  await noteWaiting(db, { ids: orders.map(({ id }) => id), why, retryAt: after(now(), waitSeconds) });
  return why;
}

async function noteLeftOut(deps: SigningDeps, facts: Asked, { waiting, refused }: Plan): Promise<void> {
  const { db, now } = deps;
  for (const { orders, why } of waiting) await wait(deps, orders, why);
  for (const { order, why, isPaid } of refused) {
    // Others of its token were paid, and this order alone is still refused.
    const isFinal = order.wasRefused && why.startsWith('The token');
    if (isFinal && (await isAgreed(deps, facts, order)) && (await failOrder(db, order.id, why, now())))
      continue;
    const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(order.tries, 12));
    await noteRefused(db, order.id, { why, retryAt: after(now(), pause), isPaid });
  }
}

type Asked = Parameters<typeof isRefusedNow>[1];

/** Whether two endpoints say that the vault refuses an order now: one alone ends none. */
async function isAgreed({ agreement }: SigningDeps, facts: Asked, order: Order): Promise<boolean> {
  const about = `whether the token refuses payout ${order.id}`;
  const ask = (endpoint: Endpoint) => isRefusedNow(endpoint, facts, order);
  try {
    return await agreement.agree({ about, ask, same: (one, other) => one === other });
  } catch (error) {
    if (error instanceof RpcFault || error instanceof Disagreement) return false;
    throw error;
  }
}
