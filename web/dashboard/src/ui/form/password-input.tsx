import { type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import { Button } from '../button/button.tsx';
import { Input, type InputProps } from './input.tsx';

/** A password, which can be shown while it is typed. */
export function PasswordInput(input: Omit<InputProps, 'type' | 'code'>): ReactNode {
  const [isShown, setShown] = useState(false);
  return (
    <div className="grid gap-1.5">
      <Input {...input} type={isShown ? 'text' : 'password'} spellCheck={false} autoCapitalize="off" />
      <div>
        <Button variant="link" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {t('Show the password')}
        </Button>
      </div>
    </div>
  );
}
