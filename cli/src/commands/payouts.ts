import type { PayoutFilter, PayoutInput, PayoutOutcome, PayoutStatus } from '@florin/sdk';
import { Argument, type Command, Option } from 'commander';
import { commandGroup, withExamples } from '../command.ts';
import { calls, extentOf, type ListOptions, merchantCommand, withExtent } from '../merchant/command.ts';
import { payoutOutcomes, payoutStatuses } from '../merchant/words.ts';

/** `florin payouts ...`: money out of the business balance. */
export function payoutsCommands(program: Command): void {
  const group = commandGroup(program, 'payouts', 'Order, list, show, simulate and cancel payouts.');
  list(group);
  show(group);
  create(group);
  simulate(group);
  cancel(group);
  fees(group);
}

type ListFilter = ListOptions & { status?: PayoutStatus; asset?: string };

function list(group: Command): void {
  const command = merchantCommand(group, 'list', 'List payouts, newest first.')
    .addOption(new Option('--status <status>', 'only payouts with this status').choices(payoutStatuses))
    .option('--asset <code>', 'only payouts in this asset');
  withExtent(command).action(
    calls(async ({ money: client, show }, options: ListFilter) => {
      const { payoutColumns } = await import('../merchant/payout-text.ts');
      const { status, asset } = options;
      const filter: PayoutFilter = { ...(status && { status }), ...(asset !== undefined && { asset }) };
      await show.list(
        (page) => client.payouts.list({ ...filter, ...page }),
        extentOf(options),
        payoutColumns,
        'There are no such payouts.',
      );
      return 0;
    }),
  );
  withExamples(command, ['florin payouts list --status queued', 'payouts that are still to leave']);
}

function show(group: Command): void {
  const command = merchantCommand(group, 'show', 'Show all details of a payout.')
    .argument('<payout>', 'its id or its payout_reference')
    .action(
      calls(async ({ money: client, show }, name: string) => {
        const { payoutText } = await import('../merchant/payout-text.ts');
        const payout = await client.payouts.get(name);
        await show.one(payout, () => payoutText(payout));
        return 0;
      }),
    );
  withExamples(command, ['florin payouts show salary-2026-03', 'with what holds it up, if anything does']);
}

type CreateOptions = {
  asset: string;
  amount: string;
  to: string;
  memo?: string;
  payoutReference?: string;
  description?: string;
};

function create(group: Command): void {
  const command = merchantCommand(group, 'create', 'Order a payout from the business balance.')
    .requiredOption('--asset <code>', 'asset such as usdc-base or pi')
    .requiredOption('--amount <decimal>', 'what the receiver gets, in the asset itself')
    .requiredOption('--to <address>', 'address of the receiver')
    .option('--memo <text>', 'memo, on networks that have them')
    .option('--payout-reference <text>', 'your own unique reference')
    .option('--description <text>', 'stored with the payout')
    .action(
      calls(async ({ money: client, show }, options: CreateOptions) => {
        const { payoutText } = await import('../merchant/payout-text.ts');
        const { payoutReference, ...rest } = options;
        const input: PayoutInput = {
          ...{ asset: rest.asset, amount: rest.amount, to: rest.to },
          ...(rest.memo !== undefined && { memo: rest.memo }),
          ...(rest.description !== undefined && { description: rest.description }),
          ...(payoutReference !== undefined && { payout_reference: payoutReference }),
        };
        const payout = await client.payouts.create(input);
        await show.one(payout, () => payoutText(payout));
        return 0;
      }),
    );
  withExamples(command, [
    'florin payouts create --asset usdc-base --amount 50 --to 0x...',
    'needs a key that may make payouts',
  ]);
}

function simulate(group: Command): void {
  const command = merchantCommand(group, 'simulate', 'Simulate an outcome of a test payout.')
    .argument('<payout>', 'its id, its payout_reference, or the id of its refund')
    .addArgument(new Argument('<outcome>', 'what happens to it').choices(payoutOutcomes))
    .action(
      calls(async ({ money: client, show }, name: string, outcome: PayoutOutcome) => {
        const payout = await client.test.payouts.simulate(name, outcome);
        await show.one(payout, () => `${payout.id} is ${payout.status}\n`);
        return 0;
      }),
    );
  withExamples(command, ['florin payouts simulate salary-2026-03 refused_address', 'it fails']);
}

function cancel(group: Command): void {
  const command = merchantCommand(group, 'cancel', 'Cancel a payout that is not being sent yet.')
    .argument('<payout>', 'its id or its payout_reference')
    .action(
      calls(async ({ money: client, show }, name: string) => {
        const payout = await client.payouts.cancel(name);
        await show.one(payout, () => `${payout.id} is ${payout.status}\n`);
        return 0;
      }),
    );
  withExamples(command, ['florin payouts cancel salary-2026-03', 'the money is back in the balance']);
}

function fees(group: Command): void {
  const command = merchantCommand(group, 'fees', 'Show what a payout costs in each asset.').action(
    calls(async ({ money: client, show }) => {
      const { feeColumns } = await import('../merchant/payout-text.ts');
      const wanted = { limit: 100, all: true };
      await show.list(() => client.payouts.fees(), wanted, feeColumns, 'There are no assets.');
      return 0;
    }),
  );
  withExamples(command, ['florin payouts fees', 'with minimum, daily limit, and why one is not available']);
}
