import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainReader } from '../model/chain.ts';
import { fineOf, unitsOfFine } from '../model/units.ts';
import type { Hex, World } from '../world/world.ts';
import type { Browse } from './ask.ts';
import type { Journal, Order } from './journal.ts';
import type { Owner } from './owner.ts';
import type { PiPurses } from './pi-purse.ts';
import type { OrderPlan } from './plan.ts';
import type { Purses } from './purse.ts';

export type CustomerDeps = {
  world: World;
  journal: Journal;
  browse: Browse;
  purses: Purses;
  piPurses: PiPurses;
  chain: ChainReader;
  owner: Owner;
};

/** What `GET {pay_url}/state` says, as far as customers look at it. */
type State = {
  payment_status: string;
  amount_due: string | null;
  destinations: { asset: string; address: string; memo: string | null; amount: string }[];
  owed: { asset: string; amount: string }[];
  refunds: { id: string; status: string; asset: string; amount: string; to: string | null }[];
};

/** Where people pay each currency in live mode. */
export const liveAssets: Readonly<Record<string, string>> = {
  ...{ USDC: 'usdc-bep20', USDT: 'usdt-bep20', CSK: 'csk-bep20', PI: 'pi' },
};

/** Reads the payment's page as its script does. */
export async function readState(deps: CustomerDeps, order: Order): Promise<State | null> {
  const { pathname, search } = new URL(order.pageUrl ?? '');
  const beganMs = performance.now();
  const { status, text } = await deps.browse(`${pathname}/state${search}`);
  if (status !== 200) return null;
  const state = JSON.parse(text) as State;
  await noteSeen(deps, order, { status: state.payment_status, beganMs });
  return state;
}

/** Notes what status somebody was told, and how long the chain was then. */
export async function noteSeen(
  { journal, chain }: CustomerDeps,
  { reference, mode }: Order,
  { status, beganMs }: { status: string; beganMs: number },
): Promise<void> {
  journal.seen.push({ reference, status, beganMs, endedMs: performance.now() });
  if (status === 'completed' && mode === 'live' && !journal.completedAt.has(reference))
    journal.completedAt.set(reference, await chain.head());
}

/** Sends one of the page's forms. Resolves with the status of the answer. */
export async function sendForm(
  { browse, world }: CustomerDeps,
  order: Order,
  form: string,
  fields: Record<string, string>,
): Promise<number> {
  const { pathname, searchParams } = new URL(order.pageUrl ?? '');
  const body = new URLSearchParams(searchParams);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const { status } = await browse(`${pathname}/${form}`, { method: 'POST', body });
  world.log.note('customers', `${order.reference} ${form} ${JSON.stringify(fields)}: ${status}`);
  return status;
}

/** Chooses how to pay, and remembers where. Null: the page shows no place. */
export async function choose(
  deps: CustomerDeps,
  order: Order,
  asset: string,
): Promise<{ due: bigint } | null> {
  await sendForm(deps, order, 'method', { asset });
  const state = await readState(deps, order);
  const place = state?.destinations.find((each) => each.asset === asset);
  if (!state || !place || state.amount_due === null) return null;
  order.places.set(asset, { address: place.address, memo: place.memo });
  order.shownMs = deps.world.clock.now();
  return { due: fineOf(state.amount_due) };
}

/** In hundredths of what is due, one number for each transfer. */
const shares: Record<OrderPlan['way'], readonly number[]> = {
  ...{ exact: [100], parts: [40, 35, 25], over: [130], under: [60], twice: [100, 100], wrong: [100] },
  ...{ late: [100], never: [], wallet: [] },
};

/** Pays as planned by plain transfers. */
export async function pay(deps: CustomerDeps, order: Order, plan: OrderPlan): Promise<void> {
  const asset = liveAssets[plan.currency] ?? '';
  const place = order.places.get(asset);
  if (!place) return;
  const state = await readState(deps, order);
  if (!state || state.amount_due === null) return;
  const due = fineOf(state.amount_due);
  let left = due;
  for (const [n, share] of shares[plan.way].entries()) {
    const isRest = plan.way === 'parts' && n === shares.parts.length - 1;
    const rounded = roundedShare(due, share, plan.currency);
    await transfer(deps, plan, { asset, place, fine: isRest ? left : rounded });
    left -= rounded;
    // Who pays twice often does so once the first money is booked, and looks on until the second one may be.
    await sleep(plan.way === 'twice' ? 5 * plan.pauseMs : plan.pauseMs);
    if (plan.way === 'twice' && n === 0 && plan.customer % 2 === 0) await untilBooked(deps, order);
  }
}

const patientMs = 45_000;
const lookMs = 500;

/** Waits until the page says that the payment is completed, or that it has ended otherwise. */
async function untilBooked(deps: CustomerDeps, order: Order): Promise<void> {
  const endMs = performance.now() + patientMs;
  const open = new Set(['unlinked', 'linked', 'pending', undefined]);
  while (performance.now() < endMs && open.has((await readState(deps, order))?.payment_status))
    await sleep(lookMs);
}

/** What people type has no more decimals than the currency. */
function roundedShare(due: bigint, share: number, currency: string): bigint {
  const unit = 10n ** (currency === 'PI' ? 11n : 12n);
  const fine = (due * BigInt(share)) / 100n;
  return share === 100 ? due : (fine / unit) * unit;
}

type Paid = { asset: string; place: { address: string; memo: string | null }; fine: bigint };

async function transfer({ world, purses, piPurses }: CustomerDeps, plan: OrderPlan, paid: Paid) {
  const { asset, place, fine } = paid;
  world.log.note('customers', `${plan.way}: ${fine} of ${asset} to ${place.address} ${place.memo ?? ''}`);
  if (asset === 'pi') {
    const units = unitsOfFine(fine, 7);
    const amount = `${units / 10_000_000n}.${`${units % 10_000_000n}`.padStart(7, '0')}`;
    await piPurses.send(plan.customer, { to: place.address, amount, memo: place.memo ?? '' });
    return;
  }
  const token = world.chain.tokens[asset];
  const isWrong = plan.way === 'wrong';
  const other = plan.customer % 2 === 0 ? world.chain.strangeToken : world.chain.tokens['csk-bep20']?.address;
  const address =
    isWrong && asset !== 'csk-bep20' ? other : isWrong ? world.chain.strangeToken : token?.address;
  if (!token || !address) throw new Error(`The chain has no ${asset}`);
  await purses.send(plan.customer, {
    ...{ token: address, to: place.address as Hex },
    // With an odd rest where it is too much, so that what a splitter divides has to be rounded.
    units: unitsOfFine(fine, token.scale) + (plan.way === 'over' ? BigInt(plan.customer) : 0n),
  });
}

/** Pays from the wallet of a user, as far as there is enough in it. */
export async function payFromWallet(
  deps: CustomerDeps,
  order: Order,
  { customer }: OrderPlan,
): Promise<void> {
  const { users, wallets } = deps.world;
  const user = users[customer % users.length];
  if (!user || wallets) return;
  const { username, password } = user;
  await sendForm(deps, order, 'wallet', { username, password });
  if ((await readState(deps, order))?.payment_status === 'completed') order.payer = username;
}

/** Claims what a refund leaves to the customer, to a new address. Resolves with whether it was taken. */
export async function claim(
  deps: CustomerDeps,
  order: Order,
  { refund, asset, to }: { refund: string; asset: string; to: string },
): Promise<boolean> {
  await sendForm(deps, order, 'refund', { refund, asset, to, confirm: 'yes' });
  const state = await readState(deps, order);
  return (
    state?.refunds.some((each) => each.id === refund && each.to?.toLowerCase() === to.toLowerCase()) ?? false
  );
}
