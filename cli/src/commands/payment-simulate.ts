import type { Scenario, SimulatedOutcome, SimulateInput } from '@florin/sdk';
import { Argument, type Command } from 'commander';
import { withExamples } from '../command.ts';
import { callsTestMode, merchantCommand } from '../merchant/command.ts';
import type { Context } from '../merchant/context.ts';
import { durationWithin } from '../merchant/duration.ts';
import { outcomes } from '../merchant/words.ts';
import type { Column } from '../output/table.ts';

type Options = { amount?: string; delay?: number; dryRun?: boolean };

/** `florin payments simulate` and `florin payments scenarios`. */
export function simulateCommands(group: Command): void {
  const simulate = merchantCommand(
    group,
    'simulate',
    'Simulate an outcome of a test payment, or several that combine.',
  )
    .argument('<payment_reference>', 'reference of the payment')
    .addArgument(new Argument('<outcome...>', 'what happens').choices(outcomes))
    .option('--amount <decimal>', "the total that is sent, in the payment's currency")
    .option(
      '--delay <duration>',
      'how long nothing happens first, by the test clock',
      durationWithin('0s', '30d'),
    )
    .option('--dry-run', 'show what would happen, step by step')
    .action(
      callsTestMode(
        async (
          context,
          reference: string,
          outcome: SimulatedOutcome[],
          { amount, delay, dryRun }: Options,
        ) => {
          const input: SimulateInput = { outcome, amount, delay_seconds: delay };
          return dryRun ? await showScript(context, reference, input) : await play(context, reference, input);
        },
      ),
    );
  withExamples(
    simulate,
    ['florin payments simulate order-1001 success', 'the full amount arrives'],
    ['florin payments simulate order-1001 split slow', 'in two parts that are confirmed slowly'],
    ['florin payments simulate order-1001 underpaid --amount 12.5 --dry-run', 'shows what would happen'],
  );

  const scenarios = merchantCommand(group, 'scenarios', 'List the outcomes that can be simulated.').action(
    callsTestMode(async ({ client, show }) => {
      const columns: Column<Scenario>[] = [
        { title: 'outcome', of: ({ outcome }) => outcome },
        { title: 'what happens', of: ({ happens }) => happens },
        { title: 'where it ends', of: ({ ends }) => ends },
        { title: 'combines with', of: ({ combines_with }) => combines_with.join(' ') },
      ];
      const { items } = await client.test.scenarios();
      const page = async () => ({ items, next_cursor: null });
      await show.list(page, { limit: items.length, all: true }, columns, '');
      return 0;
    }),
  );
  withExamples(scenarios, ['florin payments scenarios', 'with what each can be combined with']);
}

async function play({ client, show }: Context, reference: string, input: SimulateInput): Promise<number> {
  const { paymentText } = await import('../merchant/payment-text.ts');
  const payment = await client.test.simulate(reference, input);
  await show.one(payment, () => paymentText(payment));
  return 0;
}

async function showScript(
  { client, show }: Context,
  reference: string,
  input: SimulateInput,
): Promise<number> {
  const { tableOf } = await import('../output/table.ts');
  const script = await client.test.script(reference, input);
  await show.one(script, () =>
    tableOf(
      [
        { title: 'after', of: ({ after_seconds }) => `${after_seconds} s`, isNumber: true },
        { title: 'what', of: ({ what }) => what },
        { title: 'transfer', of: ({ transfer }) => (transfer ? `${transfer.number}` : ''), isNumber: true },
        { title: 'amount', of: ({ transfer }) => transfer?.amount ?? '', isNumber: true },
        { title: 'asset', of: ({ transfer }) => transfer?.asset ?? '' },
        {
          title: 'confirmations',
          of: ({ transfer }) => (transfer ? `${transfer.confirmations} of ${transfer.needed}` : ''),
        },
      ],
      script.steps,
    ),
  );
  return 0;
}
