import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

/** `florin fees`: what the operator earned. */
export function feesCommand(program: Command): void {
  const command = program
    .command('fees')
    .description('Show the fees that were earned and not withdrawn. The dashboard withdraws them.')
    .option('--json', 'print them as JSON')
    .action(
      exits(async ({ json = false }: { json?: boolean }) => {
        const { fees } = await import('../../../gateway/src/commands/fees.ts');
        return await fees(process.env, { json });
      }),
    );
  withExamples(command, ['florin fees', 'the fees in each asset']);
}
