import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { boxClass } from './box-class.ts';
import { Field, type FieldText } from './field.tsx';

export type InputProps = Omit<ComponentProps<'input'>, 'id' | 'children'> & FieldText & { code?: boolean };

/** One line of text. `code` is for keys and hashes: monospace, and nothing corrected. Say `required={false}` to mark it optional. */
export function Input({ label, help, error, labelHidden, code, className, ...input }: InputProps): ReactNode {
  const asCode = { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' } as const;
  return (
    <Field
      {...{ label, help, error, name: input.name, required: input.required }}
      {...(labelHidden ? { labelHidden } : {})}
    >
      {(control) => (
        <input
          {...(code ? asCode : {})}
          {...input}
          {...control}
          className={clsx(boxClass, 'h-10', code && 'font-mono', className)}
        />
      )}
    </Field>
  );
}
