import { Switch as Radix } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import { FieldNotes, type FieldText, useControl } from './field.tsx';

export type SwitchProps = FieldText & {
  name?: string;
  checked?: boolean;
  defaultChecked?: boolean;
  disabled?: boolean;
  onChange?: (checked: boolean) => void;
};

/** Something that is on or off, and changes at once. In a form it is `on` or absent, as a box is. */
export function Switch({ label, help, error, labelHidden, name, onChange, ...rest }: SwitchProps): ReactNode {
  const id = useId();
  const { control, fault } = useControl(id, { name, error, help });
  return (
    <div className="flex items-start justify-between gap-4">
      <div className={labelHidden ? 'sr-only' : 'grid gap-0.5'}>
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        <FieldNotes id={id} help={help} fault={fault} />
      </div>
      <Radix.Root
        {...rest}
        {...control}
        {...(name === undefined ? {} : { name })}
        {...(onChange ? { onCheckedChange: onChange } : {})}
        className="relative h-6 w-10 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-60"
      >
        <Radix.Thumb className="block size-4 translate-x-1 rounded-full bg-line-strong transition-transform data-[state=checked]:translate-x-4.5 data-[state=checked]:bg-on-accent" />
      </Radix.Root>
    </div>
  );
}
