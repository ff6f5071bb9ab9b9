import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

/** `florin reserves`: what is owed beside what is held. */
export function reservesCommand(program: Command): void {
  const command = program
    .command('reserves')
    .description(
      'Compare what is owed with what the networks hold. The exit code is 2 when money is unexplained.',
    )
    .option('--json', 'print the report as JSON')
    .option('--test', 'compare the money of test networks')
    .action(
      exits(async ({ json = false, test = false }: { json?: boolean; test?: boolean }) => {
        const { reserves } = await import('../../../gateway/src/commands/treasury/reserves.ts');
        return await reserves(process.env, { json, test });
      }),
    );
  withExamples(command, ['florin reserves', 'what is owed, held and explained, for each asset']);
}
