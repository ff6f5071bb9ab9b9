import type { Command } from 'commander';

/** A command line, and what it does. */
export type Example = readonly [line: string, meaning: string];

const examplesOfCommands = new WeakMap<Command, readonly Example[]>();

/** Shows examples at the end of a command's help, and keeps them for the docs. */
export function withExamples(command: Command, ...examples: Example[]): Command {
  examplesOfCommands.set(command, examples);
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, meaning]) => `  ${line.padEnd(width)}  # ${meaning}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** The examples in a command's help. */
export function examplesOf(command: Command): readonly Example[] {
  return examplesOfCommands.get(command) ?? [];
}

/** A command that only groups others. */
export function commandGroup(program: Command, name: string, description: string): Command {
  return program.command(name).description(description).helpCommand(false);
}

/**
 * Turns the work of a command into the function that commander calls. A returned number is the exit code; without one
 * the command continues in the background and ends the process itself.
 */
export function exits<Words extends unknown[]>(work: (...words: Words) => Promise<number | undefined>) {
  return async (...words: Words): Promise<void> => {
    process.exitCode = await work(...words);
  };
}

/** The command that the words name; unknown words are ignored. Without a known word it is the program itself. */
export function commandAt(program: Command, words: readonly string[]): { command: Command; rest: string[] } {
  const [name, ...rest] = words;
  const found = program.commands.find((each) => each.name() === name);
  return found ? commandAt(found, rest) : { command: program, rest: [...words] };
}

/** The words that run a command: `florin users create`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
