import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { boxClass } from './box-class.ts';
import { Field, type FieldText } from './field.tsx';

export type TextareaProps = Omit<ComponentProps<'textarea'>, 'id' | 'children'> & FieldText;

/** Several lines of text. */
export function Textarea({
  label,
  help,
  error,
  labelHidden = false,
  className,
  ...area
}: TextareaProps): ReactNode {
  return (
    <Field {...{ label, help, error, labelHidden, name: area.name, required: area.required }}>
      {(control) => (
        <textarea rows={4} {...area} {...control} className={clsx(boxClass, 'py-2', className)} />
      )}
    </Field>
  );
}
