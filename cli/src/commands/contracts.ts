import type { Command } from 'commander';
import { commandGroup, exits, withExamples } from '../command.ts';

type DeployOptions = { chain?: string; keyFile?: string; direct?: boolean };

/** `florin contracts ...`: the deposit contract on the configured chains. */
export function contractsCommands(program: Command): void {
  const group = commandGroup(
    program,
    'contracts',
    'Deploy and verify the deposit contract of the configured chains.',
  );

  const deploy = group
    .command('deploy')
    .description('Deploy the deposit contract on each configured chain that lacks it.')
    .option('--chain <id>', 'only this chain')
    .option('--key-file <file>', 'private key that pays for gas; by default sweep.gas_key_file of the chain')
    .option('--direct', 'also the factory of splitters, for direct settlement')
    .action(
      exits(async ({ chain, keyFile, direct }: DeployOptions) => {
        const { deployContracts } = await import('../../../gateway/src/commands/treasury/contracts.ts');
        return await deployContracts(process.env, { chainId: chain, keyFile, direct });
      }),
    );
  withExamples(deploy, [
    'florin contracts deploy --key-file gas.key',
    'on every chain, with the same address',
  ]);

  const verify = group
    .command('verify')
    .description('Compare the contracts on each configured chain with the configuration.')
    .option('--direct', 'also the factory of splitters, for direct settlement')
    .action(
      exits(async ({ direct }: Pick<DeployOptions, 'direct'>) => {
        const { verifyOnChains } = await import('../../../gateway/src/commands/treasury/contracts.ts');
        return await verifyOnChains(process.env, { direct });
      }),
    );
  withExamples(verify, ['florin contracts verify', 'before the first live payment']);
}
