import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { strengthOf } from '../../../../passwords.ts';
import { t } from '../../texts/t.ts';
import { PasswordInput } from './password-input.tsx';

const strengths = [t('Easy to guess'), t('Fair'), t('Strong')];
const tones = ['bg-lost', 'bg-waiting', 'bg-paid'];

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
            <Strength strength={strength} />
            {strengths[strength]}
          </>
        )}
      </p>
    </div>
  );
}

/** As many of three bars as the password is strong; the word beside them says it. */
function Strength({ strength }: { strength: number }): ReactNode {
  return (
    <span aria-hidden className="flex gap-1">
      {tones.map((tone, at) => (
        <span
          key={tone}
          className={clsx('h-1.5 w-8 rounded-full', at <= strength ? tones[strength] : 'bg-line-strong')}
        />
      ))}
    </span>
  );
}
