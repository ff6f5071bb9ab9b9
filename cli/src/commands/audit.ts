import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

/** `florin audit`: the ledger recomputed. */
export function auditCommand(program: Command): void {
  const command = program
    .command('audit')
    .description('Recompute the ledger, and end with 2 where it has faults.')
    .option('--json', 'print the report as JSON')
    .action(
      exits(async ({ json = false }: { json?: boolean }) => {
        const { audit } = await import('../../../gateway/src/commands/audit.ts');
        return await audit(process.env, { json });
      }),
    );
  withExamples(command, ['florin audit', 'after a crash, or every night']);
}
