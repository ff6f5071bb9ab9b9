import { LeaseLost } from '../../src/kit/db/lease.ts';
import { forwarderAddress } from '../../src/rails/evm/addresses/forwarders.ts';
import { RpcFault } from '../../src/rails/evm/rpc/rpc-fault.ts';
import { cancel, choose, expire, spendAll } from '../schedules/acts.ts';
import { expireLeases } from '../support/database.ts';
import { Killed, type Outcome } from '../support/mortal.ts';
import { paymentById } from '../support/payment-fixtures.ts';
import { treasury } from './chain.ts';
import type { ChainTransaction } from './driver.ts';
import { breakOne, cut, lapse, mendAll } from './faults.ts';
import { type Game, noteSights, type Paid, type Process, startProcess } from './game.ts';
import type { Disturbance, Intent, Share, Step, TokenName } from './steps.ts';

/** Between two steps: as long as a block or two, so that endpoints which rested are asked again. */
const stepSeconds = 5;

const tokenOf = { USDC: 'usdc-bep20', USDT: 'usdt-bep20', CSK: 'csk-bep20', PI: 'usdc-bep20' } as const;
const amountOf = { USDC: 10, USDT: 12.5, CSK: 2_000, PI: 10 } as const;

/** Makes one thing happen. */
export async function play(game: Game, step: Step): Promise<void> {
  const { shop, world, paid } = game;
  const { driver } = world;
  pass(game, stepSeconds);
  switch (step.do) {
    case 'create': {
      const payment = await shop.create({ amount: amountOf[step.currency], currency: step.currency });
      paid.push({ payment, address: forwarderAddress(treasury, payment.id) });
      break;
    }
    case 'block':
      await driver.block(step.transactions.flatMap((intent) => transactionsOf(game, intent)));
      break;
    case 'mine':
      await driver.mine(step.blocks);
      break;
    case 'reorg':
      await driver.reorg(step.depth, step.fates);
      break;
    case 'rollback':
      await driver.rollback(step.depth);
      break;
    case 'return':
      await driver.comeBack();
      break;
    case 'tick':
      await tick(game, step.who, step.disturbance);
      break;
    case 'collect':
      await round(game, step.who, step.disturbance, collectAll);
      break;
    case 'race':
      await Promise.all([tick(game, 0, null), tick(game, 1, null)]);
      break;
    case 'restart':
      await restart(game, step.who);
      break;
    case 'break':
      breakOne(game, step);
      break;
    case 'cut':
      cut(game);
      break;
    case 'mend':
      mendAll(game);
      break;
    case 'wait':
      pass(game, step.seconds);
      break;
    case 'until':
      pass(game, await secondsUntil(game, step));
      break;
    case 'expire':
      await expire(game);
      break;
    case 'choose': {
      const { payment } = paid[step.payment % paid.length]!;
      await choose(game, payment, tokenOf[payment.currency!]);
      break;
    }
    case 'cancel':
      await cancel(game, step);
      break;
    case 'spend':
      await spendAll(game);
  }
  if (changesChain.has(step.do)) await learn(game);
}

const secondsOf = ({ shop }: Game): number => Math.floor(shop.clock.now().getTime() / 1000);

/** Time passes, for payments, endpoints and the chain alike. */
function pass(game: Game, seconds: number): void {
  const { clock } = game.shop;
  lapse(game, clock.now().getTime() + seconds * 1000);
  clock.advance(seconds);
}

/** How long it is until then; 0: it is past. */
async function secondsUntil(
  { shop, world, paid }: Game,
  { edge, payment: index, seconds }: Extract<Step, { do: 'until' }>,
): Promise<number> {
  const { deadline, lateUntil } = await paymentById(world.db, paid[index % paid.length]!.payment.id);
  const end = edge === 'deadline' ? deadline : (lateUntil ?? deadline);
  return Math.max(0, Math.floor(end.getTime() / 1000) + seconds - secondsOf({ shop } as Game));
}

const changesChain = new Set<Step['do']>(['block', 'mine', 'reorg', 'rollback', 'return']);

/** Notes how the chain stands now. No block is of the future: many at once take their time. */
export async function learn(game: Game): Promise<void> {
  const { world, chain, shop, paid, views, logs, setting } = game;
  const { aheadSeconds } = setting;
  const view = world.driver.view();
  const ahead = view.headTime - secondsOf(game);
  if (ahead > 0) pass(game, ahead);
  views.push({ ...view, headTime: view.headTime + aheadSeconds, at: shop.clock.now().getTime() });
  const assetOf = new Map(Object.entries(world.tokens).map(([asset, address]) => [address, asset]));
  const ours = new Map(paid.map(({ address, payment }) => [address, payment.id]));
  for (const { token, to, units, blockHash, logIndex, ...log } of await world.driver.transfers()) {
    const moved = `${units} ${assetOf.get(token)}`;
    const paymentId = ours.get(to) ?? null;
    const blockTime = log.blockTime + aheadSeconds;
    logs.set(`${chain.id}:${blockHash}:${logIndex}`, { moved, paymentId, blockHash, blockTime });
  }
}

/** One round of a process's scanner, with what is due to be read again; in the middle of it something may happen. */
export async function tick(game: Game, who: 0 | 1, disturbance: Disturbance | null): Promise<void> {
  await round(game, who, disturbance, async ({ scanner }) => {
    await scanner.tick();
    await scanner.readAgain();
  });
}

/** Everything is swept, whatever it costs. That no endpoint answers, or another process has the sender lock, is no fault. */
async function collectAll({ sweeper }: Process): Promise<void> {
  try {
    await sweeper.sweep({ kind: 'all' });
  } catch (error) {
    if (!(error instanceof RpcFault || error instanceof LeaseLost)) throw error;
  }
}

async function round(
  game: Game,
  who: 0 | 1,
  disturbance: Disturbance | null,
  work: (process: Process) => Promise<void>,
): Promise<void> {
  const process = game.processes[who];
  const happened = disturbance ? disturb(game, who, disturbance) : null;
  try {
    await work(process);
  } catch (error) {
    // A process that was killed answers for nothing.
    if (!process.isDead() || !(error instanceof Killed)) throw error;
  }
  process.calm();
  await noteSights(game);
  // A process may be done before every endpoint that it asked has answered.
  await happened?.();
  if (process.isDead()) await restart(game, who);
}

/** Has something happen to a process. Returns what waits until that is over, if it has begun. */
function disturb(game: Game, who: 0 | 1, { at, what, depth }: Disturbance): () => Promise<unknown> {
  const { driver } = game.world;
  const reorg = async () => {
    await driver.reorg(depth, ['moved', 'kept', 'dropped']);
    await learn(game);
  };
  const overtake = async () => {
    await endLease(game);
    await tick(game, who === 0 ? 1 : 0, null);
  };
  const happenings: Record<Disturbance['what'], () => Promise<Outcome>> = {
    killed: async () => 'dies',
    'killed after': async () => 'dies after',
    reorg: () => reorg().then(() => 'lives'),
    block: async () => {
      await driver.mine(1);
      await learn(game);
      return 'lives';
    },
    overtaken: () => overtake().then(() => 'lives'),
    'reorg, overtaken': async () => {
      await reorg();
      await overtake();
      return 'lives';
    },
  };
  let happening: Promise<Outcome> | null = null;
  game.processes[who].interrupt(at + 1, what.endsWith('overtaken'), () => {
    happening = happenings[what]();
    return happening;
  });
  return async () => await happening;
}

/** A new process takes the place of one that ended without a word, once its lease has run out. */
async function restart(game: Game, who: 0 | 1): Promise<void> {
  game.processes[who] = startProcess(game);
  await endLease(game);
}

/** The database's own clock stands for the time that passes until a lease runs out. */
export async function endLease({ world }: Game): Promise<void> {
  await expireLeases(world.db);
}

/** What a customer means, as transactions. */
function transactionsOf(game: Game, intent: Intent): ChainTransaction[] {
  const { world, paid } = game;
  const { payer } = intent;
  const at = (index: number): Paid => paid[index % paid.length]!;
  switch (intent.do) {
    case 'transfer':
    case 'mint': {
      const { payment, address } = at(intent.payment);
      const name = intent.token === 'own' ? tokenOf[payment.currency!] : intent.token;
      const units = unitsOf(at(intent.payment), name, intent.share);
      return [{ do: intent.do, payer, token: world.tokens[name], to: address, units }];
    }
    case 'many': {
      const payments = intent.parts.map((part) => ({
        to: at(part.payment).address,
        units: unitsOf(at(part.payment), intent.token, part.share),
      }));
      return [{ do: 'many', payer, token: world.tokens[intent.token], payments }];
    }
    case 'turns':
      return paid.flatMap((each, nth) => {
        const names = ['usdc-bep20', 'usdc-erc20'] as const;
        const turn = nth % 2 === 0 ? names : names.toReversed();
        return turn.map((name, at) => ({
          do: 'transfer' as const,
          payer: payer + nth * 2 + at,
          token: world.tokens[name],
          to: each.address,
          units: unitsOf(each, name, intent.share),
        }));
      });
    case 'sweep': {
      const paymentIds = paid.map(({ payment }) => payment.id);
      return [{ do: 'sweep', payer, token: world.tokens[intent.token], treasury, paymentIds }];
    }
  }
}

function unitsOf({ payment }: Paid, token: TokenName, { thousandths, dust }: Share): bigint {
  const micros = (payment.amountDue! * BigInt(thousandths)) / 1000n;
  // A token with six decimals has nothing smaller.
  return token === 'usdc-erc20' ? micros : micros * 10n ** 12n + BigInt(dust);
}
