import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';

/** `florin users create`, `invite`, `reset-factors` and `reset-password`. */
export function usersCommands(program: Command): void {
  const group = commandGroup(
    program,
    'users',
    'Make users with a wallet, invite them, or help them in again.',
  );
  const create = group
    .command('create')
    .argument('<username>', 'name that the user signs in with')
    .description('Make a user with a wallet and show the password, which is shown only now.')
    .action(
      exits(async (username: string) => {
        const { makeUser } = await import('../../../gateway/src/commands/people/users.ts');
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
        const { inviteUser } = await import('../../../gateway/src/commands/people/users.ts');
        return await inviteUser(process.env);
      }),
    );
  withExamples(invite, [
    'florin users invite',
    'for a gateway with WALLETS=invitation; the code is good once',
  ]);

  const reset = group
    .command('reset-factors')
    .argument('<username>', 'name of the user')
    .description(
      'Remove the authenticator app and the passkeys of a user who lost them, and sign the user out everywhere.',
    )
    .action(
      exits(async (username: string) => {
        const { resetFactorsOf } = await import('../../../gateway/src/commands/people/users.ts');
        return await resetFactorsOf(process.env, username);
      }),
    );
  withExamples(reset, ['florin users reset-factors ada', 'ada then signs in by the password']);

  const password = group
    .command('reset-password')
    .argument('<username>', 'name of the user')
    .description(
      'Give a user who lost the password another one, which is shown only now and is replaced at the sign-in, and sign the user out everywhere.',
    )
    .action(
      exits(async (username: string) => {
        const { resetPasswordOf } = await import('../../../gateway/src/commands/people/users.ts');
        return await resetPasswordOf(process.env, username);
      }),
    );
  withExamples(password, ['florin users reset-password ada', 'ada then signs in and chooses a password']);
}
