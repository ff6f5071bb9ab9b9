import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = { payments?: string; integration?: string; full?: boolean; indexesLast?: boolean };

/** `florin seed`: test payments in large numbers. */
export function seedCommand(program: Command): void {
  const command = program
    .command('seed')
    .description('Make test payments of the last year, to try things out.')
    .option('--payments <number>', 'how many')
    .option('--integration <id>', 'integration of the payments; by default the oldest one')
    .option(
      '--full',
      'events of the whole year with webhooks of every type, as after a year without clearing up',
    )
    .option('--indexes-last', 'faster; only while no gateway runs on the database')
    .action(
      exits(async ({ payments = '', ...options }: Options) => {
        const { seed } = await import('../../../bench/seed/seed.ts');
        return await seed(process.env, { payments, ...options });
      }),
    );
  withExamples(command, ['florin seed --payments 100000', 'fills the dashboard']);
}
