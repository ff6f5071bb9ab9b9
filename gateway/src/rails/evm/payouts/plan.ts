import { decimalOf } from '../../../money/money.ts';
import { checksummed } from '../addresses/forwarders.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { hexNumber, numberOf } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import type { RpcCall } from '../rpc/rpc.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { askEach } from '../send/ask.ts';
import { balanceCall, transferCall } from '../send/words.ts';
import { addressAt, limitCall, numberAt, vaultReads, wordsOf } from '../vault/reads.ts';
import { payCall, reasons, reasonsOf } from './calls.ts';
import type { Order } from './orders.ts';

/** One transaction to send: orders of one token, each of which the vault would pay now. */
type Batch = { token: Hex; orders: Order[]; units: bigint; gasLimit: bigint };

export type Plan = {
  batches: Batch[];
  /** Orders that wait, and why; others are paid meanwhile. */
  waiting: { orders: Order[]; why: string }[];
  /** Orders that the vault would refuse, each with its own reason. `isPaid`: it says that it has paid them. */
  refused: { order: Order; why: string; isPaid: boolean }[];
  /** What keeps every order from being paid, in words. */
  fault: string | null;
};

export type PlanFacts = {
  chain: Pick<ChainConfig, 'tokens'>;
  vault: Hex;
  signer: Hex;
  orders: readonly Order[];
  /** Units of each token that are sent and in no block yet. */
  onTheWay: ReadonlyMap<Hex, bigint>;
  /** How many transactions may be sent. */
  room: number;
};

/** One transaction pays at most this many: about three and a half million units of gas. */
export const batchSize = 100;
/** Room for one payout that is refused only when it is mined: the vault's GAS_EACH and a tenth. */
const gasOfRefusal = 1_100_000n;

const call = (to: Hex, data: Hex, from?: Hex): RpcCall => ({
  method: 'eth_call',
  params: [from === undefined ? { to, data } : { from, to, data }, 'latest'],
});

/** A plan in the making, for the orders of one token. */
type Planning = { endpoint: Endpoint; facts: PlanFacts; token: Hex; plan: Plan };

/** Decides which transaction pays what, by what the chain says of each order now. */
export async function planPayouts(endpoint: Endpoint, facts: PlanFacts): Promise<Plan> {
  const plan: Plan = { batches: [], waiting: [], refused: [], fault: await faultOf(endpoint, facts) };
  if (plan.fault !== null) return plan;
  for (const [token, orders] of Map.groupBy(facts.orders, (order) => order.token)) {
    const planning: Planning = { endpoint, facts, token, plan };
    const fitting = await affordable(planning, orders);
    for (let at = 0; at < fitting.length; at += batchSize) {
      if (plan.batches.length >= facts.room) return plan;
      const good = await payable(planning, fitting.slice(at, at + batchSize));
      if (good.length === 0) continue;
      plan.batches.push({
        token,
        orders: good,
        units: good.reduce((sum, { units }) => sum + units, 0n),
        gasLimit: await gasLimitOf(planning, good),
      });
    }
  }
  return plan;
}

/** Why the vault lets the signer pay nothing at all; null: it does. */
async function faultOf(endpoint: Endpoint, { vault, signer }: PlanFacts): Promise<string | null> {
  const at = checksummed(vault);
  const [code] = await endpoint.batch([{ method: 'eth_getCode', params: [vault, 'latest'] }]);
  if (code === '0x') return `There is no vault at ${at}: florin contracts deploy`;
  const [named, paused] = await endpoint.batch([
    call(vault, vaultReads.signer),
    call(vault, vaultReads.paused),
  ]);
  const other = addressAt(wordsOf(named, 1), 0);
  if (other !== signer) {
    const who = /^0x0*$/.test(other) ? 'has no signer' : `has the signer ${checksummed(other)}`;
    return `The vault ${who}, and the key is that of ${checksummed(signer)}: florin vault signer`;
  }
  return numberAt(wordsOf(paused, 1), 0) === 0n ? null : 'The vault is paused by its admin';
}

/** The orders, in their order, for which limit and balance are enough beside the units that are on the way. */
async function affordable(
  { endpoint, facts, token, plan }: Planning,
  orders: readonly Order[],
): Promise<Order[]> {
  const { chain, vault, onTheWay } = facts;
  const [limits, balance] = await endpoint.batch([
    call(vault, limitCall(token)),
    call(token, balanceCall(vault)),
  ]);
  const left = numberAt(wordsOf(limits, 2), 1);
  const held = numberOf(balance);
  const sent = onTheWay.get(token) ?? 0n;
  let limit = left - sent;
  let money = held - sent;
  const fitting: Order[] = [];
  const poor: Order[] = [];
  const limited: Order[] = [];
  for (const order of orders) {
    if (order.units > money) poor.push(order);
    else if (order.units > limit) limited.push(order);
    else {
      fitting.push(order);
      limit -= order.units;
      money -= order.units;
    }
  }
  const scale = chain.tokens.find(({ address }) => address === token)?.scale ?? 0;
  const [first] = orders;
  const amount = (units: bigint) => `${decimalOf(units > 0n ? units : 0n, scale)} ${first?.asset ?? ''}`;
  if (poor.length > 0)
    plan.waiting.push({ orders: poor, why: `The vault holds ${amount(held)}, which is too little` });
  if (limited.length > 0) {
    plan.waiting.push({
      orders: limited,
      why: `The vault may pay out ${amount(left)} more today: its limit is reached`,
    });
  }
  return fitting;
}

/** The orders that the vault would pay, all in one transaction; the others are added to the plan with their reasons. */
async function payable(planning: Planning, orders: Order[]): Promise<Order[]> {
  const { endpoint, facts, token, plan } = planning;
  const { vault, signer } = facts;
  let answer: unknown;
  try {
    [answer] = await endpoint.batch([call(vault, payCall(token, orders), signer)]);
  } catch (error) {
    if (!(error instanceof RpcFault && error.kind === 'refused')) throw error;
    const [order] = orders;
    // The call needs too much gas for the endpoint, or a token burns gas: the orders are asked for in halves.
    if (orders.length > 1) {
      const half = Math.ceil(orders.length / 2);
      return [
        ...(await payable(planning, orders.slice(0, half))),
        ...(await payable(planning, orders.slice(half))),
      ];
    }
    if (order) {
      const why = `The vault cannot be asked: ${plainWords(error.message)}`;
      plan.refused.push({ order, why, isPaid: false });
    }
    return [];
  }
  const refusals = reasonsOf(answer, orders.length);
  const failed = orders.filter((_, at) => isTokenRefusal(refusals[at]));
  for (const [at, order] of orders.entries()) {
    if (refusals[at] === reasons.alreadyPaid) {
      plan.refused.push({
        order,
        why: 'The vault has paid its id already, and the event of that is waited for',
        isPaid: true,
      });
    }
    if (refusals[at] === reasons.limitReached) {
      plan.waiting.push({ orders: [order], why: "The vault's limit of today is reached" });
    }
  }
  const asked = await askEach(endpoint, failed, ({ receiver, units }) =>
    call(token, transferCall(receiver, units), vault),
  );
  for (const { subject: order, reply } of asked) {
    const why =
      'refused' in reply
        ? `The token refuses it: ${plainWords(reply.refused)}`
        : 'The token does not pay exactly the amount';
    plan.refused.push({ order, why, isPaid: false });
  }
  return orders.filter((_, at) => refusals[at] === null);
}

/** Whether the vault, asked by one endpoint, would refuse an order because of its token. Throws RpcFault. */
export async function isRefusedNow(
  endpoint: Endpoint,
  { vault, signer }: Pick<PlanFacts, 'vault' | 'signer'>,
  order: Order,
): Promise<boolean> {
  const [answer] = await endpoint.batch([call(vault, payCall(order.token, [order]), signer)]);
  return isTokenRefusal(reasonsOf(answer, 1)[0]);
}

const isTokenRefusal = (reason: Hex | null | undefined): boolean =>
  reason === reasons.transferFailed || reason === '0x00000000';

/** The words of a contract, without the names of endpoint and method before them. */
function plainWords(message: string): string {
  return message.replace(/^.*?: eth_\w+: /, '').replace(/ \(-?\d+\)$/, '');
}

async function gasLimitOf({ endpoint, facts, token }: Planning, orders: readonly Order[]): Promise<bigint> {
  const { vault, signer } = facts;
  const [estimate] = await endpoint.batch([
    {
      method: 'eth_estimateGas',
      params: [{ from: signer, to: vault, data: payCall(token, orders), value: hexNumber(0n) }],
    },
  ]);
  return (numberOf(estimate) * 105n) / 100n + gasOfRefusal;
}
