import type { PaymentLinkInput } from '@florin/sdk';
import type { Command } from 'commander';
import { commandGroup, withExamples } from '../command.ts';
import { calls, extentOf, type ListOptions, merchantCommand, withExtent } from '../merchant/command.ts';
import { type AskOptions, askedOf, readAmount, withPrice } from '../merchant/payment-input.ts';

/** `florin links ...`: a merchant's payment links. */
export function linksCommands(program: Command): void {
  const group = commandGroup(program, 'links', 'List, show, create, stop and resume payment links.');
  list(group);
  show(group);
  create(group);
  change(group, 'stop', 'Let a payment link take no more payments.');
  change(group, 'resume', 'Let a stopped payment link take payments again.');
}

function list(group: Command): void {
  const command = merchantCommand(group, 'list', 'List payment links, newest first.');
  withExtent(command).action(
    calls(async ({ client, show }, options: ListOptions) => {
      const { linkColumns } = await import('../merchant/link-text.ts');
      await show.list(
        (page) => client.paymentLinks.list(page),
        extentOf(options),
        linkColumns,
        'There are no payment links.',
      );
      return 0;
    }),
  );
  withExamples(command, ['florin links list --all', 'with what came of each']);
}

function show(group: Command): void {
  const command = merchantCommand(group, 'show', 'Show all details of a payment link.')
    .argument('<link>', 'id of the link')
    .action(
      calls(async ({ client, show }, id: string) => {
        const { linkText } = await import('../merchant/link-text.ts');
        const link = await client.paymentLinks.get(id);
        await show.one(link, () => linkText(link));
        return 0;
      }),
    );
  withExamples(command, ['florin links show 019a...', 'its address, its uses and what they came to']);
}

type CreateOptions = AskOptions & {
  title: string;
  minAmount?: number;
  maxAmount?: number;
  oneUse?: boolean;
  description?: string;
  expiresAt?: string;
  successUrl?: string;
};

function create(group: Command): void {
  const titled = merchantCommand(
    group,
    'create',
    'Create a payment link and show its address.',
  ).requiredOption('--title <text>', 'what is paid for, as the customer reads it');
  const command = withPrice(titled, 'customers')
    .option(
      '--amount <decimal>',
      'what every customer pays; without it the customer says how much',
      readAmount,
    )
    .option('--min-amount <decimal>', 'the least that the customer may say', readAmount)
    .option('--max-amount <decimal>', 'the most that the customer may say', readAmount)
    .option('--one-use', 'one payment is completed by it, and no other')
    .option('--description <text>', 'more about it, for the customer')
    .option('--expires-at <time>', 'no payment is begun from this time on: ISO 8601')
    .option('--success-url <url>', 'where the customer goes after paying')
    .action(
      calls(async ({ client, show }, options: CreateOptions) => {
        const { linkText } = await import('../merchant/link-text.ts');
        const link = await client.paymentLinks.create(inputOf(options));
        await show.one(link, () => linkText(link));
        return 0;
      }),
    );
  withExamples(
    command,
    ['florin links create --title "A chair" --currency USDC --amount 25', 'prints its address'],
    ['florin links create --title Donation --currency PI --min-amount 1', 'the customer says how much'],
  );
}

function inputOf(options: CreateOptions): PaymentLinkInput {
  const { title, minAmount, maxAmount, oneUse, description, expiresAt, successUrl } = options;
  return {
    title,
    ...askedOf(options),
    ...(minAmount !== undefined && { min_amount: minAmount }),
    ...(maxAmount !== undefined && { max_amount: maxAmount }),
    ...(oneUse && { one_use: true }),
    ...(description !== undefined && { description }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(successUrl !== undefined && { success_url: successUrl }),
  };
}

function change(group: Command, name: 'stop' | 'resume', description: string): void {
  const command = merchantCommand(group, name, description)
    .argument('<link>', 'id of the link')
    .action(
      calls(async ({ client, show }, id: string) => {
        const link = await client.paymentLinks.update(id, { active: name === 'resume' });
        await show.one(link, () => `${link.title} is ${link.status}\n`);
        return 0;
      }),
    );
  withExamples(command, [`florin links ${name} 019a...`, 'its page then shows it']);
}
