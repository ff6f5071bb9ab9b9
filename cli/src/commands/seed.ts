import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = { payments?: string; integration?: string };

/** `florin seed`: test payments in large numbers. */
export function seedCommand(program: Command): void {
  const command = program
    .command('seed')
    .description('Make test payments of the last year, to try things out.')
    .option('--payments <number>', 'how many')
    .option('--integration <id>', 'integration of the payments; by default the oldest one')
    .action(
      exits(async ({ payments = '', integration }: Options) => {
        const { seed } = await import('../../../bench/seed/seed.ts');
        return await seed(process.env, { payments, integration });
      }),
    );
  withExamples(command, ['florin seed --payments 100000', 'fills the dashboard']);
}
