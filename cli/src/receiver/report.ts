import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { Advice, ExchangeReport, Findings, Verdict } from '@florin/receiver-check';

/** Where the report is printed; with colours on a terminal. */
export type Paper = { write(text: string): boolean } & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold';

const colourOf: Record<Verdict, Colour> = { kept: 'green', broken: 'red', unclear: 'yellow' };
const verdictWidth = 'unclear'.length;
const titleWidth = 62;
const widest = 100;

/** Prints each exchange when it ends, and again when a second try had another result. */
export function createProgress(
  print: (line: string) => void,
  paper: Paper,
): (exchanges: readonly ExchangeReport[]) => void {
  const shown = new Map<string, string>();
  return (exchanges) => {
    for (const exchange of exchanges) {
      const line = describeExchange(exchange, paper);
      if (shown.get(exchange.name) !== line) print(line);
      shown.set(exchange.name, line);
    }
  };
}

function describeExchange(exchange: ExchangeReport, paper: Paper): string {
  const { title, times, as_expected, status_code, duration_ms, error } = exchange;
  const [mark, colour] = markOf(as_expected, status_code);
  const name = times > 1 ? `${title} (${times})` : title;
  const answer = status_code === null ? `${error}` : `${status_code} ${`${duration_ms} ms`.padStart(8)}`;
  return `  ${paint(paper, colour, mark)} ${name.padEnd(titleWidth)} ${answer}`;
}

function markOf(asExpected: boolean | null, statusCode: number | null): [string, Colour] {
  if (asExpected === null) return [statusCode === null ? '-' : '·', 'dim'];
  return asExpected ? ['✓', 'green'] : ['✗', 'red'];
}

/** 0: no rule is broken; 2: some are; 1: there was no answer from the address. */
export function exitCodeOf({ score, exchanges }: Pick<Findings, 'score' | 'exchanges'>): number {
  if (exchanges.every(({ status_code }) => status_code === null)) return 1;
  return score.broken === 0 ? 0 : 2;
}

/** The report in lines, none wider than the terminal. */
export function describeFindings({ diagnosis, rules, score }: Findings, paper: Paper): string[] {
  const lines = [''];
  if (diagnosis) {
    lines.push(paint(paper, 'bold', `First of all: ${lowered(diagnosis.title)}.`));
    lines.push(...describeAdvice(diagnosis, 2, paper), '');
  }
  rules.forEach((rule, index) => {
    const word = paint(paper, colourOf[rule.verdict], rule.verdict.padEnd(verdictWidth));
    lines.push(`${word}  ${paint(paper, 'bold', rule.title)}`);
    // Advice that several rules share is printed once.
    if (rules[index + 1]?.evidence !== rule.evidence) {
      lines.push(...describeAdvice(rule, verdictWidth + 2, paper));
    }
  });
  const { kept, broken, unclear } = score;
  lines.push('', `${kept} kept, ${broken} broken, ${unclear} unclear.`);
  if (unclear > 0)
    lines.push(
      ...wrapped(
        '"Unclear" means that the answers alone do not show it; the text says where to look.',
        0,
        paper,
      ),
    );
  return lines;
}

function describeAdvice({ evidence, fix }: Advice, indent: number, paper: Paper): string[] {
  const lines = wrapped(evidence, indent, paper).map((line) => paint(paper, 'dim', line));
  return fix === '' ? lines : [...lines, ...wrapped(`-> ${fix}`, indent, paper)];
}

function wrapped(text: string, indent: number, { columns }: Paper): string[] {
  const width = Math.min(columns ?? widest, widest) - indent;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => ' '.repeat(indent) + line);
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function paint({ isTTY }: Paper, colour: Colour, text: string): string {
  const isPlain = !isTTY || (process.env.NO_COLOR ?? '') !== '';
  return isPlain ? text : styleText(colour, text, { validateStream: false });
}
