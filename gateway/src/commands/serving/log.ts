import { type Logger, type LoggerOptions, pino } from 'pino';

/** The log of a process, on standard error: lines for people on a terminal, JSON for programs elsewhere. */
export function openLog(options: LoggerOptions): Logger {
  if (!process.stderr.isTTY) return pino(options, pino.destination(2));
  return pino(options, { write: (line) => process.stderr.write(lineForPeople(line)) });
}

const words: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** One line of the log as people read it: `13:29:05 warn  the scan is behind  chain=31337`. */
export function lineForPeople(line: string): string {
  const { level, time, msg, pid: _, hostname: _host, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const word = words[level as number] ?? String(level);
  const at = new Date(time as number).toTimeString().slice(0, 8);
  const facts = Object.entries(rest).map(([name, value]) => `${name}=${textOf(value)}`);
  return `${[`${at} ${word.padEnd(5)}`, printable(String(msg ?? '')), ...facts].join('  ').trimEnd()}\n`;
}

/** Of an error only the message: the stack is in the log for programs. */
function textOf(value: unknown): string {
  const { message } = (value ?? {}) as { message?: unknown };
  const text =
    typeof message === 'string' ? message : typeof value === 'string' ? value : JSON.stringify(value);
  return printable(/\s/.test(text) ? JSON.stringify(text) : text);
}

/** Text from outside must not move the cursor of the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
