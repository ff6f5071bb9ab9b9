import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { boxClass } from './box-class.ts';
import { Field, type FieldText } from './field.tsx';

export type Choice<T extends string = string> = { value: T; label: string; disabled?: boolean };

export type SelectProps = Omit<ComponentProps<'select'>, 'id' | 'children' | 'multiple' | 'size'> &
  FieldText & { choices: readonly Choice[] };

/** One of several choices, by the system's own list, which works with every kind of input. */
export function Select({
  label,
  help,
  error,
  labelHidden = false,
  choices,
  className,
  ...select
}: SelectProps): ReactNode {
  return (
    <Field {...{ label, help, error, labelHidden, name: select.name, required: select.required }}>
      {(control) => (
        <span className="relative block">
          <select {...select} {...control} className={clsx(boxClass, 'h-10 appearance-none pr-9', className)}>
            {choices.map(({ value, label: words, disabled }) => (
              <option key={value} value={value} disabled={disabled}>
                {words}
              </option>
            ))}
          </select>
          <ChevronDown
            size={16}
            aria-hidden
            className="pointer-events-none absolute top-3 right-3 text-quiet"
          />
        </span>
      )}
    </Field>
  );
}
