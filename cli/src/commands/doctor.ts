import type { Command } from 'commander';
import { exits, withExamples } from '../command.ts';

/** `florin doctor`: looks at the whole installation. */
export function doctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'Look at the whole installation, and say what is wrong and what to do. The exit code is 2 when there is a fault, and 0 with warnings alone.',
    )
    .option('--json', 'print the findings as JSON')
    .action(
      exits(async ({ json = false }: { json?: boolean }) => {
        const { doctor } = await import('../../../gateway/src/commands/doctor.ts');
        return await doctor(process.env, { json });
      }),
    );
  withExamples(command, ['florin doctor', 'also where a gateway does not start']);
}
