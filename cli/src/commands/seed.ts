import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = { payments?: string; integration?: string };

/** `florin seed`: made-up payments. */
export function seedCommand(program: Command): void {
  const command = program
    .command('seed')
    .description('Make up test payments of the last year, for trying out.')
    .option('--payments <number>', 'how many')
    .option('--integration <id>', 'whose; by default those of the oldest integration')
    .action(
      exits(async ({ payments = '', integration }: Options) => {
        const { seed } = await import('../../../gateway/src/commands/seed.ts');
        return await seed(process.env, { payments, integration });
      }),
    );
  withExamples(command, ['florin seed --payments 100000', 'a dashboard with something in it']);
}
