import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

/** `florin audit`: recomputes the ledger. */
export function auditCommand(program: Command): void {
  const command = program
    .command('audit')
    .description('Recompute the ledger. The exit code is 2 when it has faults.')
    .option('--json', 'print the report as JSON')
    .action(
      exits(async ({ json = false }: { json?: boolean }) => {
        const { audit } = await import('../../../gateway/src/commands/audit.ts');
        return await audit(process.env, { json });
      }),
    );
  withExamples(command, ['florin audit', 'after a crash, or every night']);
}
