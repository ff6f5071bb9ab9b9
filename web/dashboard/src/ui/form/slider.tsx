import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Field, type FieldText } from './field.tsx';

export type SliderProps = Omit<ComponentProps<'input'>, 'id' | 'type' | 'children' | 'value' | 'onChange'> &
  FieldText & {
    value: number;
    onChange: (value: number) => void;
    /** The value as words, beside the slider and for screen readers: `20%`. */
    text: string;
  };

/** A number within a range that need not be set exactly. */
export function Slider({
  label,
  help,
  error,
  labelHidden,
  value,
  onChange,
  text,
  className,
  ...input
}: SliderProps): ReactNode {
  return (
    <Field {...{ label, help, error, name: input.name }} {...(labelHidden ? { labelHidden } : {})}>
      {(control) => (
        <span className={clsx('flex items-center gap-3', className)}>
          <input
            {...input}
            {...control}
            type="range"
            value={value}
            onChange={({ target }) => onChange(target.valueAsNumber)}
            aria-valuetext={text}
            className="h-6 min-w-0 flex-1 accent-accent"
          />
          <output htmlFor={control.id} className="w-12 text-right text-sm font-semibold tabular-nums">
            {text}
          </output>
        </span>
      )}
    </Field>
  );
}
