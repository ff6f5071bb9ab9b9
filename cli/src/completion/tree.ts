import type { Argument, Command, Option } from 'commander';
import { eventTypes, readEventTypes } from '../merchant/words.ts';

/** What a value may be: one of these words, several of them separated by commas, a file, or any text. */
type Value = { kind: 'word' | 'list'; words: readonly string[] } | { kind: 'file' } | { kind: 'anything' };

export type Flag = { names: string[]; about: string; value: Value | null };

/** A place in the tree: `/payments/list` after `florin payments list`, empty after `florin`. */
export type Place = {
  place: string;
  /** The commands below it, or the words that the command itself takes. */
  words: { word: string; about: string }[];
  flags: Flag[];
};

/** Every place of a program, the program itself first. */
export function placesOf(command: Command, place = ''): Place[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command);
  const own: Place = {
    place,
    words: [
      ...below.map((each) => ({ word: each.name(), about: summaryOf(each) })),
      ...command.registeredArguments.flatMap(wordsOf),
    ],
    flags: help.visibleOptions(command).map((option) => ({
      names: [option.short, option.long].filter((name) => name != null),
      about: option.description,
      value: takenBy(option),
    })),
  };
  return [own, ...below.flatMap((each) => placesOf(each, `${place}/${each.name()}`))];
}

/** The places that words lead to: all but the root, and `help`, which leads to the root. */
export function namedPlaces(places: readonly Place[]): string[] {
  return places.map(({ place }) => place).filter((place) => place !== '' && place !== '/help');
}

function summaryOf(command: Command): string {
  return command.description().replace(/\.$/, '');
}

function wordsOf({ argChoices }: Argument): { word: string; about: string }[] {
  return (argChoices ?? []).map((word) => ({ word, about: '' }));
}

function takenBy(option: Option): Value | null {
  if (!option.required && !option.optional) return null;
  if (option.argChoices) return { kind: 'word', words: option.argChoices };
  // The overloads of an option's parser do not matter here.
  if ((option.parseArg as unknown) === readEventTypes) return { kind: 'list', words: eventTypes };
  return { kind: option.flags.endsWith('<file>') ? 'file' : 'anything' };
}
