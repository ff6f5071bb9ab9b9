import type { Command } from 'commander';
import type { VaultOrder } from '../../../gateway/src/commands/treasury/vault.ts';
import { commandGroup, exits, withExamples } from '../command.ts';

type ShowOptions = { chain?: string; json?: boolean };
type OrderOptions = { chain?: string; safe?: string };

/** `florin vault ...`: the contract that payouts leave from. */
export function vaultCommands(program: Command): void {
  const group = commandGroup(
    program,
    'vault',
    'Show the vaults that pay out, and what their admin has to sign.',
  );

  const show = group
    .command('show')
    .description('Show each vault: admin, signer, what it holds, its limits, and what is still to be done.')
    .option('--chain <id>', 'only this chain')
    .option('--json', 'as JSON')
    .action(
      exits(async ({ chain, json = false }: ShowOptions) => {
        const { showVaults } = await import('../../../gateway/src/commands/treasury/vault.ts');
        return await showVaults(process.env, { chainId: chain, json });
      }),
    );
  withExamples(show, ['florin vault show', 'of every chain that has one']);

  orderCommands(group);
  exportCommands(group);
}

/** What the admin of a vault signs. */
function orderCommands(group: Command): void {
  async function run(order: VaultOrder, { chain, safe }: OrderOptions): Promise<number> {
    const { orderOfVault } = await import('../../../gateway/src/commands/treasury/vault.ts');
    return await orderOfVault(process.env, order, { chainId: chain, safe });
  }
  const order = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .option('--chain <id>', 'which chain, where several have a vault')
      .option('--safe <file>', "write a file for Safe's Transaction Builder");

  const limits = order(
    'limits',
    'What the admin signs to let the signer pay out so much of each asset a day.',
  )
    .argument('<asset=amount...>', 'the limits for a UTC day')
    .action(
      exits((found: string[], options: OrderOptions) => run({ kind: 'limits', limits: found }, options)),
    );
  withExamples(limits, ['florin vault limits usdc-bep20=5000 --safe limits.json', 'to sign it in a Safe']);

  const signer = order(
    'signer',
    'What the admin signs to name who pays out: by default the key of the configuration.',
  )
    .argument('[address]', 'another address')
    .action(
      exits((address: string | undefined, options: OrderOptions) =>
        run({ kind: 'signer', address: address ?? null }, options),
      ),
    );
  withExamples(signer, ['florin vault signer', 'after the key was changed']);

  const take = order('take', 'What the admin signs to take money out.')
    .argument('<asset=amount...>', 'how much of each asset')
    .requiredOption('--to <address>', 'where it goes')
    .action(
      exits((amounts: string[], options: OrderOptions & { to: string }) =>
        run({ kind: 'take', amounts, to: options.to }, options),
      ),
    );
  withExamples(take, ['florin vault take usdc-bep20=20000 --to 0x...', 'what is not needed for payouts']);

  const pause = order('pause', 'What the admin signs to stop the signer.').action(
    exits((options: OrderOptions) => run({ kind: 'pause' }, options)),
  );
  withExamples(pause, ['florin vault pause', 'when the key may be in other hands']);

  const resume = order('resume', 'What the admin signs to let the signer go on.').action(
    exits((options: OrderOptions) => run({ kind: 'resume' }, options)),
  );
  withExamples(resume, ['florin vault resume', 'after a pause']);
}

type ExportOptions = { chain?: string; again?: string; safe?: string; list?: string; useUp?: string };

/** Payouts that the admin pays in place of the signer. */
function exportCommands(group: Command): void {
  const make = group
    .command('export')
    .description('Export queued payouts, to be paid by the admin of a vault, or by hand out of a treasury.')
    .option('--chain <id>', 'which chain, where there are several')
    .option('--safe <file>', "write a file for Safe's Transaction Builder")
    .option('--list <file>', 'write a list as CSV')
    .option('--again <export>', 'write files of an earlier export, and export nothing')
    .option('--use-up <file>', 'with --again: write a file for a Safe after which the vault never pays them')
    .action(
      exits(async ({ chain, again, safe, list, useUp }: ExportOptions) => {
        const { exportOfVault } = await import('../../../gateway/src/commands/treasury/vault-exports.ts');
        return await exportOfVault(process.env, { chainId: chain, again, files: { safe, list, useUp } });
      }),
    );
  withExamples(make, ['florin vault export --safe payouts.json', 'without the limit of the day']);

  const shown = group
    .command('exports')
    .description('Show what can be exported, and the newest exports.')
    .option('--json', 'as JSON')
    .action(
      exits(async ({ json = false }: { json?: boolean }) => {
        const { showExports } = await import('../../../gateway/src/commands/treasury/vault-exports.ts');
        return await showExports(process.env, { json });
      }),
    );
  withExamples(shown, ['florin vault exports', 'with how many of each are paid']);

  const back = group
    .command('take-back')
    .description('Let the signer pay what of an export still waits.')
    .argument('<export>', 'its id')
    .action(
      exits(async (id: string) => {
        const { takeExportBack } = await import('../../../gateway/src/commands/treasury/vault-exports.ts');
        return await takeExportBack(process.env, id);
      }),
    );
  withExamples(back, [
    'florin vault take-back 0190c1de-0000-7000-8000-000000000000',
    'where the Safe does not sign it',
  ]);
}
