import { type ReactNode, useState } from 'react';
import { CodeStep } from './code-step.tsx';
import { PasswordStep } from './password-step.tsx';

/** Signs somebody in: with a password, and a second step if it is on, or with a passkey. */
export function SignInPage(): ReactNode {
  const [step, setStep] = useState<'password' | 'code'>('password');
  return step === 'password' ? (
    <PasswordStep onCodeNeeded={() => setStep('code')} />
  ) : (
    <CodeStep onStartAgain={() => setStep('password')} />
  );
}
