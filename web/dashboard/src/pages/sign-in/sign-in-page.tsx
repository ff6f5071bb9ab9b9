import { type ReactNode, useState } from 'react';
import { CodeStep } from './code-step.tsx';
import { PasswordStep } from './password-step.tsx';

/** Signs somebody in: by password, with a second step where they have one, or by a passkey alone. */
export function SignInPage(): ReactNode {
  const [step, setStep] = useState<'password' | 'code'>('password');
  return step === 'password' ? (
    <PasswordStep onCodeNeeded={() => setStep('code')} />
  ) : (
    <CodeStep onStartAgain={() => setStep('password')} />
  );
}
