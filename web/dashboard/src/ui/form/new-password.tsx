import type { ReactNode } from 'react';
import { Input } from './input.tsx';

/** A password that is chosen now; the lengths are those that the gateway takes. */
export function NewPassword({ name, label = 'Password' }: { name: string; label?: string }): ReactNode {
  return (
    <Input
      label={label}
      name={name}
      type="password"
      autoComplete="new-password"
      minLength={12}
      maxLength={128}
      help="At least 12 characters. A few words in a row are good; common passwords are refused."
      required
    />
  );
}
