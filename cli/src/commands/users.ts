import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';

/** `florin users create` and `florin users invite`. */
export function usersCommands(program: Command): void {
  const group = commandGroup(program, 'users', 'Make users with a wallet, or invite them.');
  const create = group
    .command('create')
    .argument('<username>', 'name that the user signs in with')
    .description('Make a user with a wallet and show the password, which is shown only now.')
    .action(
      exits(async (username: string) => {
        const { makeUser } = await import('../../../gateway/src/commands/users.ts');
        return await makeUser(process.env, username);
      }),
    );
  withExamples(create, ['florin users create ada', 'ada can then be funded and can pay']);

  const invite = group
    .command('invite')
    .description(
      'Make an invitation to sign up for a wallet within a week, and show its code, which is shown only now.',
    )
    .action(
      exits(async () => {
        const { inviteUser } = await import('../../../gateway/src/commands/users.ts');
        return await inviteUser(process.env);
      }),
    );
  withExamples(invite, [
    'florin users invite',
    'for a gateway with WALLETS=invitation; the code is good once',
  ]);
}
