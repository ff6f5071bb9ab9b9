import type { Balance } from '@florin/sdk';
import type { Command } from 'commander';
import { withExamples } from '../command.ts';
import { calls, merchantCommand } from '../merchant/command.ts';
import type { Column } from '../output/table.ts';

const columns: Column<Balance>[] = [
  { title: 'asset', of: ({ asset }) => asset },
  { title: 'available', of: ({ available }) => available, isNumber: true },
  { title: 'held', of: ({ held }) => held, isNumber: true },
];

/** `florin balances`: the business balances. */
export function balancesCommand(program: Command): void {
  const command = merchantCommand(program, 'balances', 'Show the business balance in each asset.').action(
    calls(async ({ client, show }) => {
      const wanted = { limit: 100, all: true };
      await show.list(() => client.balances.list(), wanted, columns, 'There is no balance yet.');
      return 0;
    }),
  );
  withExamples(command, ['florin balances --json', 'exact decimals, one asset on each line']);
}
