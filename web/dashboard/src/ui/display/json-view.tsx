import type { ReactNode } from 'react';
import { Code } from './code.tsx';

/** A body as it was sent: laid out when it is JSON, else as it is. */
export function JsonView({ text, label }: { text: string; label: string }): ReactNode {
  return <Code text={laidOut(text)} label={label} wraps />;
}

/** Keeps numbers as they are written, also those that a parser would change (long ones). */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, keepNumbers), null, 2);
  } catch {
    return text;
  }
}

type RawJson = { rawJSON: (text: string) => unknown };

function keepNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined || !('rawJSON' in JSON)) return value;
  return (JSON as unknown as RawJson).rawJSON(context.source);
}
