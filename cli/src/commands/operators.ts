import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';

/** `florin operators add`. */
export function operatorsCommands(program: Command): void {
  const group = commandGroup(program, 'operators', 'Say who may operate the installation.');
  const add = group
    .command('add')
    .argument('<email>', 'of a new or an existing account')
    .description("Make somebody an operator; a new account's password is shown this once.")
    .action(
      exits(async (email: string) => {
        const { addOperator } = await import('../../../gateway/src/commands/operators.ts');
        return await addOperator(process.env, email);
      }),
    );
  withExamples(add, ['florin operators add olga@example.com', 'she signs in on the dashboard']);
}
