import type { ReactNode } from 'react';
import { Input } from './input.tsx';

/** The six digits of an authenticator app, as the field `code` of a form. */
export function CodeInput({ autoFocus = false }: { autoFocus?: boolean }): ReactNode {
  return (
    <Input
      label="Six-digit code"
      help="From your authenticator app."
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9 ]{6,7}"
      title="Six digits"
      maxLength={7}
      autoFocus={autoFocus}
      required
      code
    />
  );
}
