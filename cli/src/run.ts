import { type Command, CommanderError } from 'commander';
import { commandAt, pathOf } from './command.ts';
import { explain } from './explain.ts';
import { endQuietlyWithReader } from './output/print.ts';
import { createProgram } from './program.ts';

/** Runs the words of a command line. Returns the exit code, or undefined when the command continues by itself. */
export async function run(words: string[]): Promise<number | undefined> {
  // A gateway and an upgrade continue when their output is no longer read.
  if (!['serve', 'start', 'upgrade'].includes(words[0] ?? '')) endQuietlyWithReader();
  const program = createProgram();
  const { command, rest } = commandAt(program, words);
  // Without a further word, a group of commands shows its help.
  if (command.commands.length > 0 && (rest.length === 0 || rest[0] === 'help')) {
    commandAt(command, rest.slice(1)).command.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync(words, { from: 'user' });
    return process.exitCode as number | undefined;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error, command);
    process.stderr.write(explain(error));
    return 1;
  }
}

/** commander also throws after it has shown the help or the version. */
function exitCodeOf(error: CommanderError, command: Command): number {
  if (error.exitCode === 0) return 0;
  const path = pathOf(command);
  const more = path.replace('florin', 'florin help');
  process.stderr.write(
    `florin: ${error.message.replace(/^error: /, '')}\n\nUsage: ${path} ${command.usage()}\nMore: ${more}\n`,
  );
  return 1;
}
