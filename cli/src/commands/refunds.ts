import type { RefundInput } from '@florin/sdk';
import type { Command } from 'commander';
import { commandGroup, withExamples } from '../command.ts';
import { calls, merchantCommand } from '../merchant/command.ts';

/** `florin refunds ...`: money of payments that goes back to their customers. */
export function refundsCommands(program: Command): void {
  const group = commandGroup(program, 'refunds', 'Make, list and cancel refunds of payments.');
  list(group);
  create(group);
  cancel(group);
}

function list(group: Command): void {
  const command = merchantCommand(group, 'list', 'List the refunds of a payment.')
    .argument('<payment_reference>', 'reference of the payment')
    .action(
      calls(async ({ money: client, show }, reference: string) => {
        const { refundColumns } = await import('../merchant/refund-text.ts');
        const wanted = { limit: 100, all: true };
        await show.list(() => client.refunds.list(reference), wanted, refundColumns, 'It has no refunds.');
        return 0;
      }),
    );
  withExamples(command, ['florin refunds list order-1042', 'with what became of each']);
}

type CreateOptions = {
  amount?: string;
  priceAmount?: string;
  asset?: string;
  to?: string;
  memo?: string;
  reason?: string;
};

function create(group: Command): void {
  const command = merchantCommand(group, 'create', 'Refund a payment.')
    .argument('<payment_reference>', 'reference of the payment')
    .option('--amount <decimal>', 'how much; all that can be refunded, if left out')
    .option('--price-amount <decimal>', 'so much of the price, in place of --amount')
    .option('--asset <code>', 'asset such as usdc-base, where it was paid in several')
    .option('--to <address>', 'address of the customer; if left out the customer is asked')
    .option('--memo <text>', 'memo, on networks that have them')
    .option('--reason <text>', 'stored with the refund')
    .action(
      calls(async ({ money: client, show }, reference: string, options: CreateOptions) => {
        const { refundText } = await import('../merchant/refund-text.ts');
        const { amount, priceAmount, asset, to, memo, reason } = options;
        const input: RefundInput = {
          ...(amount !== undefined && { amount }),
          ...(priceAmount !== undefined && { price_amount: priceAmount }),
          ...(asset !== undefined && { asset }),
          ...(to !== undefined && { to }),
          ...(memo !== undefined && { memo }),
          ...(reason !== undefined && { reason }),
        };
        const refund = await client.refunds.create(reference, input);
        await show.one(refund, () => refundText(refund));
        return 0;
      }),
    );
  withExamples(
    command,
    ['florin refunds create order-1042', 'all of it; needs a key that may make refunds'],
    ['florin refunds create order-1042 --amount 12.5 --to 0x...', 'a part, to an address'],
  );
}

function cancel(group: Command): void {
  const command = merchantCommand(group, 'cancel', 'Cancel a refund that is not being sent yet.')
    .argument('<payment_reference>', 'reference of the payment')
    .argument('<refund_id>', 'id of the refund')
    .action(
      calls(async ({ money: client, show }, reference: string, id: string) => {
        const refund = await client.refunds.cancel(reference, id);
        await show.one(refund, () => `${refund.id} is ${refund.status}\n`);
        return 0;
      }),
    );
  withExamples(command, [
    'florin refunds cancel order-1042 019aa1d2-9b1c-7d22-8f0a-2d6c1b7e4a90',
    'the money is back in the balance',
  ]);
}
