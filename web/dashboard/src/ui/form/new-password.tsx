import { type ReactNode, useState } from 'react';
import { strengthOf } from '../../../../passwords.ts';
import { t } from '../../texts/t.ts';
import { PasswordInput } from './password-input.tsx';

const strengths = [t('Easy to guess'), t('Fair'), t('Strong')];

/** A password that is chosen now; the lengths are those that the gateway takes. */
export function NewPassword({ name, label = t('Password') }: { name: string; label?: string }): ReactNode {
  const [password, setPassword] = useState('');
  const strength = strengthOf(password);
  return (
    <div className="grid gap-1.5">
      <PasswordInput
        label={label}
        name={name}
        autoComplete="new-password"
        minLength={12}
        maxLength={128}
        help={t('At least 12 characters. A few words in a row are good; common passwords are refused.')}
        onChange={(event) => setPassword(event.target.value)}
        required
      />
      <p role="status" className="flex items-center gap-2 text-sm text-quiet empty:hidden">
        {password !== '' && (
          <>
            <meter aria-hidden min={0} max={3} low={1.5} high={2.5} optimum={3} value={strength + 1} />
            {strengths[strength]}
          </>
        )}
      </p>
    </div>
  );
}
