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

/** `florin sweep`: deposits to the treasury. */
export function sweepCommand(program: Command): void {
  const command = program
    .command('sweep')
    .description('Move deposits to the treasury: those worth the gas, or all.')
    .option('--dry-run', 'show what would go and what it would cost; needs no key')
    .option('--all', 'also those that are not worth their gas')
    .option('--chain <id>', 'one chain alone')
    .option('--key-file <file>', 'private key that pays for gas; by default sweep.gas_key_file of the chain')
    .option('--token <address>', 'recover a token that is not listed, or the native coin (the zero address)')
    .option('--payment <references>', 'whose it is, separated by commas; goes with --token')
    .action(
      exits(async ({ dryRun = false, all = false, chain, keyFile, token, payment }: Options) => {
        const { sweep } = await import('../../../gateway/src/commands/sweep.ts');
        return await sweep(process.env, { chain, keyFile, token, payments: payment, dryRun, all });
      }),
    );
  withExamples(
    command,
    ['florin sweep --dry-run', 'what would go, what would wait, and what it costs'],
    ['florin sweep --key-file gas.key', 'send, and wait a minute for it to be mined'],
  );
}
