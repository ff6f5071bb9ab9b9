import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

type Options = { json?: boolean; from?: string; heads?: string };

/** `florin audit`: recomputes the ledger and the hash chain. */
export function auditCommand(program: Command): void {
  const command = program
    .command('audit')
    .description('Recompute the ledger and the hash chain. The exit code is 2 when one has faults.')
    .option('--json', 'print the report as JSON')
    .option('--from <stamp>', 'compare the hash chain from this stamp on')
    .option('--heads <file>', 'compare it with heads that were kept in a file')
    .action(
      exits(async ({ json = false, ...options }: Options) => {
        const { audit } = await import('../../../gateway/src/commands/audit.ts');
        return await audit(process.env, { json, ...options });
      }),
    );
  withExamples(command, ['florin audit', 'after a crash, or every night']);
}
