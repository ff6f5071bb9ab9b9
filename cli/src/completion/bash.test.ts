import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../program.ts';
import { bashScript } from './bash.ts';
import { placesOf } from './tree.ts';

const script = bashScript(placesOf(createProgram()));

/** The completions that bash offers after these words, requested as its readline does. */
async function offered(...words: string[]): Promise<string[]> {
  const ask = `${script}
    completer=$(complete -p florin); completer=\${completer#* -F }; completer=\${completer% florin}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    $completer florin
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', ask, 'bash', 'florin', ...words], {
    cwd: import.meta.dirname,
  });
  return stdout.split('\n').filter(Boolean);
}

function hasBash(): boolean {
  try {
    execFileSync('bash', ['-c', 'complete']);
    return true;
  } catch {
    return false;
  }
}

describe.runIf(hasBash())('in bash', () => {
  test.each([
    ['commands', [''], expect.arrayContaining(['listen', 'trigger', 'payments', 'serve', 'help'])],
    ['the rest of a command', ['paym'], ['payments']],
    ['what a group has', ['payments', ''], expect.arrayContaining(['list', 'show', 'create', 'simulate'])],
    ['the same behind help', ['help', 'payments', 'li'], ['list']],
    ['options where a dash is typed', ['clock', 'advance', '--j'], ['--json']],
    ['options behind others', ['listen', '--json', '--forward-to', '3000', '--st'], ['--state']],
    ['the words of an option', ['payments', 'list', '--status', 'c'], ['completed', 'cancelled']],
    ['the words of an argument', ['trigger', 'payment_f'], ['payment_failed']],
    [
      'the next of several words',
      ['listen', '--events', 'payment_failed,payment_r'],
      ['payment_failed,payment_refunded'],
    ],
    ['files', ['sweep', '--key-file', 'bash.te'], ['bash.test.ts']],
    ['nothing where anything may stand', ['payments', 'create', '--amount', ''], []],
    ['nothing below an unknown command', ['payments', 'list', 'x', ''], []],
  ])('completes %s', async (_, words, expected) => {
    expect(await offered(...words)).toEqual(expected);
  });
});

test('every command and every option can be completed', () => {
  const places = placesOf(createProgram());
  expect(places.length).toBeGreaterThan(30);
  for (const { place, words, flags } of places) {
    expect(flags.map(({ names }) => names.at(-1))).toContain('--help');
    expect(script).toContain(`'${place}') words='${words.map(({ word }) => word).join(' ')}'`);
  }
});
