import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';

/** `florin operators add`. */
export function operatorsCommands(program: Command): void {
  const group = commandGroup(program, 'operators', 'Manage the operators of the installation.');
  const add = group
    .command('add')
    .argument('<email>', 'address of a new or an existing account')
    .description(
      "Make a person an operator. A new account's password is shown only now, counts for seven days, and is replaced at the first sign-in.",
    )
    .action(
      exits(async (email: string) => {
        const { addOperator } = await import('../../../gateway/src/commands/people/operators.ts');
        return await addOperator(process.env, email);
      }),
    );
  withExamples(add, ['florin operators add olga@example.com', 'she can then sign in to the dashboard']);
}
