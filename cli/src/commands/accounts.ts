import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';

/** `florin accounts reset-factors`. */
export function accountsCommands(program: Command): void {
  const group = commandGroup(program, 'accounts', 'Help people who sign in to the dashboard.');
  const reset = group
    .command('reset-factors')
    .argument('<email>', 'address of the account')
    .description('Remove the second factors of an account whose owner lost them, and sign it out everywhere.')
    .action(
      exits(async (email: string) => {
        const { resetAccountFactors } = await import('../../../gateway/src/commands/people/accounts.ts');
        return await resetAccountFactors(process.env, email);
      }),
    );
  withExamples(reset, [
    'florin accounts reset-factors olga@example.com',
    'after her next sign-in she sets a new factor up',
  ]);
}
