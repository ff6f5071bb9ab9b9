import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Input } from './input.tsx';

/** The six digits of an authenticator app, as the field `code` of a form. */
export function CodeInput({ autoFocus = false }: { autoFocus?: boolean }): ReactNode {
  return (
    <Input
      label={t('Six-digit code')}
      help={t('From your authenticator app.')}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9 ]{6,7}"
      data-wrong={t('Write the six digits.')}
      maxLength={7}
      autoFocus={autoFocus}
      required
      code
    />
  );
}
