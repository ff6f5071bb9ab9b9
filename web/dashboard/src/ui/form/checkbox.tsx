import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import { FieldNotes, type FieldText, useControl } from './field.tsx';

export type CheckboxProps = Omit<ComponentProps<'input'>, 'id' | 'type' | 'children'> & FieldText;

/** A box to tick, its label beside it. */
export function Checkbox({ label, help, error, labelHidden, className, ...input }: CheckboxProps): ReactNode {
  const id = useId();
  const { control, fault } = useControl(id, { name: input.name, error, help });
  return (
    <div className={className}>
      <label className="flex items-start gap-2.5 py-1">
        <input type="checkbox" {...input} {...control} className="mt-0.5 size-4 shrink-0 accent-accent" />
        <span className={labelHidden ? 'sr-only' : 'text-sm'}>{label}</span>
      </label>
      <div className="pl-6.5">
        <FieldNotes id={id} help={help} fault={fault} />
      </div>
    </div>
  );
}
