import type { ReactNode } from 'react';
import { Button, type ButtonProps } from '../button/button.tsx';
import { useFormState } from './form-context.ts';

/** The button of a `Form`: pending while the form is being sent. */
export function SubmitButton({ variant = 'primary', ...rest }: ButtonProps): ReactNode {
  const { pending } = useFormState();
  return <Button {...rest} variant={variant} type="submit" pending={pending} />;
}
