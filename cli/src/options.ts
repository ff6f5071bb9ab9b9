import { Option } from 'commander';

/** `--mode`: test or live. */
export function modeOption(): Option {
  return new Option('--mode <mode>', 'mode of the keys').choices(['test', 'live']).default('test');
}

/** `a,b` as a list. */
export function readList(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** An option that may be repeated: its values in their order. */
export function collected(value: string, before: string[]): string[] {
  return [...before, value];
}
