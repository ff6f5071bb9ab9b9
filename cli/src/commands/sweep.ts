import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = {
  dryRun?: boolean;
  all?: boolean;
  chain?: string;
  keyFile?: string;
  token?: string;
  payment?: string;
};

/** `florin sweep`: moves deposits to the treasury. */
export function sweepCommand(program: Command): void {
  const command = program
    .command('sweep')
    .description('Move deposits to the treasury: those that are worth the gas, or all.')
    .option('--dry-run', 'show what would be sent and what it would cost; needs no key')
    .option('--all', 'also those that are not worth their gas')
    .option('--chain <id>', 'only this chain')
    .option('--key-file <file>', 'private key that pays for gas; by default sweep.gas_key_file of the chain')
    .option('--token <address>', 'recover a token that is not listed, or the native coin (the zero address)')
    .option(
      '--payment <references>',
      'references of the payments it was sent for, separated by commas; used with --token',
    )
    .action(
      exits(async ({ dryRun = false, all = false, chain, keyFile, token, payment }: Options) => {
        const { sweep } = await import('../../../gateway/src/commands/treasury/sweep.ts');
        return await sweep(process.env, { chain, keyFile, token, payments: payment, dryRun, all });
      }),
    );
  withExamples(
    command,
    ['florin sweep --dry-run', 'shows what would be sent, what waits, and the cost'],
    ['florin sweep --key-file gas.key', 'sends, and waits up to a minute for confirmation'],
  );
}
