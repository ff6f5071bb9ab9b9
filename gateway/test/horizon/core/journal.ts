import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A ledger: the rest follows from applying its envelopes again. */
export type JournalLine = { closed_at: string; base_fee: string; envelopes: string[] };

export type Journal = {
  /** What was there when it was opened. */
  lines: JournalLine[];
  append(line: JournalLine): void;
  end(): void;
};

/** Opens a file of one ledger a line. A last line that was cut short when its writer died is dropped. */
export function openJournal(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a+', 0o600);
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole));
  const lines = whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalLine);
  return {
    lines,
    append(line) {
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
    },
    end: () => closeSync(file),
  };
}
