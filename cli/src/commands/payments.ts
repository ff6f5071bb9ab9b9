import type { PaymentFilter, PaymentStatus } from '@florin/sdk';
import { type Command, Option } from 'commander';
import { commandGroup, withExamples } from '../command.ts';
import { calls, extentOf, type ListOptions, merchantCommand, withExtent } from '../merchant/command.ts';
import { readTime } from '../merchant/duration.ts';
import { type CreateOptions, readAmount } from '../merchant/payment-input.ts';
import { currencies, feePayers, paymentStatuses } from '../merchant/words.ts';
import { simulateCommands } from './payment-simulate.ts';

/** `florin payments ...`: a merchant's payments. */
export function paymentsCommands(program: Command): void {
  const group = commandGroup(program, 'payments', 'List, look at, create, simulate and cancel payments.');
  list(group);
  show(group);
  create(group);
  simulateCommands(group);
  cancel(group);
}

type ListFilter = ListOptions & {
  status?: PaymentStatus;
  currency?: PaymentFilter['currency'];
  customerReference?: string;
  from?: string;
  to?: string;
};

function list(group: Command): void {
  const command = merchantCommand(group, 'list', 'List payments, newest first.')
    .addOption(new Option('--status <status>', 'with this status alone').choices(paymentStatuses))
    .addOption(new Option('--currency <currency>', 'in this currency alone').choices(currencies))
    .option('--customer-reference <text>', 'of this customer alone')
    .option('--from <time>', 'created since: ISO 8601, or a duration such as 1d for a day ago', readTime)
    .option('--to <time>', 'created before', readTime);
  withExtent(command).action(
    calls(async ({ client, show }, options: ListFilter) => {
      const { paymentColumns } = await import('../merchant/payment-text.ts');
      const { status, currency, customerReference, from, to } = options;
      const filter: PaymentFilter = {
        ...(status && { status }),
        ...(currency && { currency }),
        ...(customerReference !== undefined && { customer_reference: customerReference }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      };
      await show.list(
        (page) => client.payments.list({ ...filter, ...page }),
        extentOf(options),
        paymentColumns,
        'There is no such payment.',
      );
      return 0;
    }),
  );
  withExamples(
    command,
    ['florin payments list --status pending', 'those that wait for confirmations'],
    ['florin payments list --from 1d --all --json', 'all of the last 24 hours, one a line'],
  );
}

function show(group: Command): void {
  const command = merchantCommand(group, 'show', 'Show everything known of a payment.')
    .argument('<payment_reference>', 'of the payment')
    .action(
      calls(async ({ client, show }, reference: string) => {
        const { paymentText } = await import('../merchant/payment-text.ts');
        const payment = await client.payments.get(reference);
        await show.one(payment, () => paymentText(payment));
        return 0;
      }),
    );
  withExamples(command, ['florin payments show order-1001', 'its transfers and its timeline too']);
}

function create(group: Command): void {
  const command = merchantCommand(group, 'create', 'Create a payment and show where its customer pays.')
    .requiredOption('--amount <decimal>', 'in the currency itself', readAmount)
    .addOption(new Option('--currency <currency>', 'of the amount').choices(currencies).makeOptionMandatory())
    .option('--payment-reference <text>', 'yours, and unique; made up when left out')
    .option('--customer-email <email>', 'of the customer')
    .option('--customer-reference <text>', 'your name for the customer')
    .option('--success-url <url>', 'where the customer goes after paying')
    .option('--failure-url <url>', 'where the customer goes otherwise')
    .addOption(new Option('--fee-payer <who>', 'who bears the fee').choices(feePayers))
    .option('--item-list <json>', 'what is bought: {"items":[{"name","price","quantity"}]}')
    .option('--meta-data <json>', 'a JSON object of your own')
    .option('--payment-note <text>', 'stored with the payment')
    .action(
      calls(async ({ client, show }, options: CreateOptions) => {
        const [{ paymentInputOf }, { recordOf }] = await Promise.all([
          import('../merchant/payment-input.ts'),
          import('../output/table.ts'),
        ]);
        const created = await client.payments.create(paymentInputOf(options));
        const { payment_reference, amount, currency } = created.PaymentData;
        await show.one(created, () =>
          recordOf([
            ['payment', payment_reference],
            ['amount', `${amount} ${currency}`],
            ['pay at', created.PaymentURL],
          ]),
        );
        return 0;
      }),
    );
  withExamples(
    command,
    ['florin payments create --amount 25 --currency USDC', 'prints its reference and its page'],
    ['florin payments create --amount 5 --currency PI --fee-payer customer', 'who pays 5.05 PI'],
  );
}

function cancel(group: Command): void {
  const command = merchantCommand(group, 'cancel', 'Cancel a payment that nobody has paid to yet.')
    .argument('<payment_reference>', 'of the payment')
    .action(
      calls(async ({ client, show }, reference: string) => {
        const payment = await client.payments.cancel(reference);
        await show.one(payment, () => `${payment.payment_reference} is ${payment.payment_status}\n`);
        return 0;
      }),
    );
  withExamples(command, ['florin payments cancel order-1001', 'its page tells the customer']);
}
