import { setTimeout as sleep } from 'node:timers/promises';
import { fineOf, unitsOfFine } from '../model/units.ts';
import type { Hex } from '../world/world.ts';
import type { Program } from './ask.ts';
import type { CustomerDeps } from './customer.ts';
import type { Payout } from './journal.ts';
import { freshAddress } from './merchant.ts';
import type { DeedPlan } from './plan.ts';
import type { WalletUser } from './wallet-user.ts';

export type DeedDeps = CustomerDeps & { programs: readonly Program[]; users: readonly WalletUser[] };

/** What is paid out and funded: on the chain in live mode, the same asset in test mode. */
const asset = 'usdc-bep20';
const batchSize = 3;

/** Does one thing besides orders; `name` begins all references and keys of it. */
export async function doDeed(deps: DeedDeps, plan: DeedPlan, name: string): Promise<void> {
  const program = programOf(deps, plan);
  const amount = `${Math.floor(plan.cents / 100)}.${`${plan.cents % 100}`.padStart(2, '0')}`;
  switch (plan.do) {
    case 'pay out':
      await payOut(deps, program, plan, { name, amount });
      break;
    case 'cancel payout': {
      const payout = await payOut(deps, program, plan, { name, amount });
      if (payout) await cancelPayout(program, plan, payout);
      break;
    }
    case 'batch':
      await payOutMany(deps, program, plan, { name, amount });
      break;
    case 'fund':
      await fund(deps, program, plan, { name, amount });
      break;
    case 'send':
    case 'withdraw':
      await move(deps, plan, { name, amount });
      break;
    case 'top up':
      if (plan.mode === 'live') await topUp(deps, program, plan, { name, amount });
      break;
    case 'roll secret':
      await rollSecret(deps, program, plan, name);
      break;
    case 'pause':
      await pause(program, plan, name);
  }
}

function programOf({ programs, world }: DeedDeps, { merchant, mode }: DeedPlan): Program {
  const { name } = world.merchants[merchant % world.merchants.length] ?? { name: '' };
  const program = programs.find((each) => each.merchant.name === name && each.mode === mode);
  if (!program) throw new Error('There is no such merchant');
  return program;
}

type Named = { name: string; amount: string };
type MadePayout = { id: string; payout_reference: string };

function noted(
  { journal }: DeedDeps,
  program: Program,
  made: MadePayout,
  order: { amount: string; to: string },
) {
  const { id, payout_reference: reference } = made;
  const { merchant, mode } = program;
  const payout = { ...order, reference, merchant: merchant.name, mode, id, asset, isCancelled: false };
  journal.payouts.push(payout);
  return payout;
}

async function payOut(deps: DeedDeps, program: Program, { isTwin }: DeedPlan, { name, amount }: Named) {
  const to = freshAddress(name);
  const body = { asset, amount, to, payout_reference: name };
  const given = { path: '/payouts', body, usesPayoutKey: true, isTwin };
  const made = (await program.write(name, given)) as MadePayout | undefined;
  if (!made) return null;
  await program.read(`/payouts/${name}`, true);
  return noted(deps, program, made, { amount, to });
}

async function cancelPayout(program: Program, { isTwin }: DeedPlan, payout: Payout): Promise<void> {
  const path = `/payouts/${payout.id}/cancel`;
  const given = { path, usesPayoutKey: true, isTwin };
  if (await program.write(`${payout.reference}-cancel`, given)) payout.isCancelled = true;
}

async function payOutMany(deps: DeedDeps, program: Program, { isTwin }: DeedPlan, { name, amount }: Named) {
  const payouts = Array.from({ length: batchSize }, (_, n) => {
    const payout_reference = `${name}-${n}`;
    return { asset, amount, to: freshAddress(payout_reference), payout_reference };
  });
  const given = { path: '/payouts/batch', body: { payouts }, usesPayoutKey: true, isTwin };
  const made = (await program.write(name, given)) as { items: MadePayout[] } | undefined;
  for (const item of made?.items ?? []) {
    const ordered = payouts.find(({ payout_reference }) => payout_reference === item.payout_reference);
    noted(deps, program, item, { amount, to: ordered?.to ?? '' });
  }
}

async function fund({ journal, world }: DeedDeps, program: Program, plan: DeedPlan, { name, amount }: Named) {
  const { username } = world.users[plan.user % world.users.length] ?? { username: '' };
  const body = { username, amount: plan.cents / 100, currency: asset };
  const { merchant, mode } = program;
  const given = { path: '/payment/fund-user', body, isTwin: plan.isTwin };
  if ((await program.write(name, given)) !== undefined)
    journal.fundings.push({ merchant: merchant.name, mode, username, asset, amount });
}

/** A user sends to another one, or withdraws to an address. */
async function move({ journal, users }: DeedDeps, plan: DeedPlan, { name, amount }: Named): Promise<void> {
  const own = users[plan.user % users.length];
  const other = users[(plan.user + 1) % users.length];
  if (!own || !other || own === other) return;
  const kind = plan.do === 'send' ? 'send' : 'withdrawal';
  // A withdrawal of test money goes nowhere.
  const mode = kind === 'send' ? plan.mode : 'live';
  const to = kind === 'send' ? other.username : freshAddress(name);
  const form = kind === 'send' ? 'send' : 'withdraw';
  const isDone = await own.move(form, { mode, to, asset, amount, form: name });
  if (isDone) journal.moves.push({ kind, mode, from: own.username, to, asset, amount });
}

/** A person of the business sends coins to the address of the business's own. */
async function topUp(
  deps: DeedDeps,
  program: Program,
  plan: DeedPlan,
  { name, amount }: Named,
): Promise<void> {
  const given = { path: '/top-up-addresses', body: { asset }, usesPayoutKey: true, isTwin: plan.isTwin };
  const made = (await program.write(name, given)) as { address: Hex } | undefined;
  const token = deps.world.chain.tokens[asset];
  if (!made || !token) return;
  const { address } = made;
  deps.journal.topUps.push({ merchant: program.merchant.name, asset, address, amount });
  const units = unitsOfFine(fineOf(amount), token.scale);
  await deps.purses.send(plan.user, { token: token.address, to: address, units });
}

const overlapSeconds = 3_600;

/** The old secret signs beside the new one for an hour. */
async function rollSecret(
  { journal }: DeedDeps,
  program: Program,
  plan: DeedPlan,
  name: string,
): Promise<void> {
  const { endpointId } = program.merchant.receivers[plan.mode];
  const given = {
    path: `/webhook-endpoints/${endpointId}/roll-secret`,
    body: { overlap_seconds: overlapSeconds },
    isTwin: plan.isTwin,
  };
  const rolled = (await program.write(name, given)) as { secret: string } | undefined;
  const who = `${program.merchant.name} ${plan.mode}`;
  if (rolled) journal.endpointSecrets.set(who, [...(journal.endpointSecrets.get(who) ?? []), rolled.secret]);
}

const pausedMs = 700;

/** Nothing is sent to the endpoint for a while; what happens meanwhile is sent afterwards. */
async function pause(program: Program, { mode, isTwin }: DeedPlan, name: string): Promise<void> {
  const path = `/webhook-endpoints/${program.merchant.receivers[mode].endpointId}`;
  const change = (status: string) =>
    program.write(`${name}-${status}`, { path, method: 'PATCH', body: { status }, isTwin });
  await change('paused');
  await sleep(pausedMs);
  await change('active');
}

/** Puts money on the balances of a new world, so that there is something to pay out. Resolves with where it came. */
export async function furnish(deps: DeedDeps): Promise<Hex[]> {
  const addresses: Hex[] = [];
  const token = deps.world.chain.tokens[asset];
  const live = deps.programs.filter(({ mode }) => mode === 'live');
  for (const [n, program] of live.entries()) {
    const given = { path: '/top-up-addresses', body: { asset }, usesPayoutKey: true, isTwin: false };
    const made = (await program.write(`${program.merchant.name}-furnish`, given)) as
      | { address: Hex }
      | undefined;
    if (!made || !token) throw new Error(`${program.merchant.name} has no address to top up`);
    addresses.push(made.address);
    const units = unitsOfFine(fineOf('500'), token.scale);
    await deps.purses.send(n, { token: token.address, to: made.address, units });
  }
  for (const program of deps.programs.filter(({ mode }) => mode === 'test')) {
    const given = { path: '/test/top-ups', body: { asset, amount: '1000' }, isTwin: false };
    await program.write(`${program.merchant.name}-furnish`, given);
  }
  for (const program of live) {
    while (!(await hasMoney(program))) {
      await deps.purses.tend();
      await sleep(200);
    }
  }
  return addresses;
}

type Balances = { items: { asset: string; available: string }[] };

async function hasMoney(program: Program): Promise<boolean> {
  const balances = (await program.read('/balances')) as Balances | undefined;
  return balances?.items.some((each) => each.asset === asset && fineOf(each.available) > 0n) ?? false;
}
