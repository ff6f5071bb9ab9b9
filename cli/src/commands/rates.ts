import type { Rate } from '@florin/sdk';
import type { Command } from 'commander';
import { commandGroup, withExamples } from '../command.ts';
import { calls, callsTestMode, merchantCommand } from '../merchant/command.ts';
import type { Column } from '../output/table.ts';

const columns: Column<Rate>[] = [
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'rate', of: ({ rate, price_currency }) => `${rate} ${price_currency}`, isNumber: true },
  { title: 'sources', of: ({ sources }) => sources.map(({ name }) => name).join(', ') },
];

/** `florin rates ...`: what currencies are worth for payments with a price. */
export function ratesCommands(program: Command): void {
  const group = commandGroup(program, 'rates', 'Read rates, and set those of test mode.');

  const list = merchantCommand(group, 'list', 'Show what each currency is worth in a price currency.')
    .argument('<price-currency>', 'such as EUR')
    .action(
      calls(async ({ client, show }, priceCurrency: string) => {
        const wanted = { limit: 100, all: true };
        const read = async () => ({
          ...(await client.rates.list(priceCurrency.toUpperCase())),
          next_cursor: null,
        });
        await show.list(read, wanted, columns, 'No currency has a rate in it.');
        return 0;
      }),
    );
  withExamples(list, ['florin rates list EUR', 'at these a payment with a price in EUR is quoted now']);

  const set = merchantCommand(group, 'set', 'Set the test rate of a pair.')
    .argument('<currency>', 'such as USDC')
    .argument('<price-currency>', 'such as EUR')
    .argument('<rate>', 'what one is worth; "built-in" for the built-in rate')
    .action(
      callsTestMode(async ({ client, show }, currency: string, priceCurrency: string, rate: string) => {
        const answer = await client.test.rates.set({
          currency: currency.toUpperCase() as Rate['currency'],
          price_currency: priceCurrency.toUpperCase(),
          rate: rate === 'built-in' ? null : rate,
        });
        await show.one(answer, () => `1 ${answer.currency} is ${answer.rate} ${answer.price_currency}\n`);
        return 0;
      }),
    );
  withExamples(
    set,
    ['florin rates set USDC EUR 0.92', 'test payments that are quoted from now on have this rate'],
    ['florin rates set USDC EUR built-in', 'the built-in rate holds again'],
  );
}
