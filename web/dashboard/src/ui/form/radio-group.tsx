import { type ReactNode, useId } from 'react';
import { FieldNotes, type FieldText, useControl } from './field.tsx';

type RadioChoice<T extends string = string> = {
  value: T;
  label: ReactNode;
  help?: ReactNode;
  disabled?: boolean;
};

export type RadioGroupProps<T extends string> = FieldText & {
  name: string;
  choices: readonly RadioChoice<T>[];
  value?: T;
  defaultValue?: T;
  onChange?: (value: T) => void;
  required?: boolean;
};

/** One of a few choices, all visible, each with room for a sentence. */
export function RadioGroup<T extends string>(props: RadioGroupProps<T>): ReactNode {
  const { label, help, error, labelHidden, name, choices, value, defaultValue, onChange, required } = props;
  const id = useId();
  const { control, fault } = useControl(id, { name, error, help });
  return (
    <fieldset aria-describedby={control['aria-describedby']} className="grid min-w-0 gap-1.5">
      <legend className={labelHidden ? 'sr-only' : 'mb-1.5 text-sm font-semibold'}>{label}</legend>
      <div className="grid gap-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex items-start gap-3 rounded-lg border border-line bg-surface px-3 py-2.5 transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-disabled:opacity-60"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              required={required}
              disabled={choice.disabled}
              aria-invalid={control['aria-invalid']}
              {...(value === undefined ? {} : { checked: value === choice.value })}
              {...(defaultValue === undefined ? {} : { defaultChecked: defaultValue === choice.value })}
              onChange={() => onChange?.(choice.value)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="grid gap-0.5">
              <span className="text-sm font-semibold">{choice.label}</span>
              {choice.help !== undefined && <span className="text-sm text-quiet">{choice.help}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldNotes id={id} help={help} fault={fault} />
    </fieldset>
  );
}
