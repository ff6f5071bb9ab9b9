import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import { t } from '../../texts/t.ts';
import { Copy } from '../button/copy.tsx';
import { useFormState } from './form-context.ts';

/** The properties that every kind of field has. */
export type FieldText = {
  label: ReactNode;
  /** One sentence below the label: what it is for, or how to write it. */
  help?: ReactNode;
  /** The field's fault; by default the one that the form has for the field's name. */
  error?: string | undefined;
  /** The label is there for screen readers only. */
  labelHidden?: boolean;
};

export type ControlProps = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

export type FieldProps = FieldText & {
  name?: string | undefined;
  required?: boolean | undefined;
  className?: string;
  children: (control: ControlProps) => ReactNode;
};

/** A control with its label above, its help and its fault below, joined for screen readers. */
export function Field({
  label,
  help,
  error,
  labelHidden,
  name,
  required,
  className,
  children,
}: FieldProps): ReactNode {
  const id = useId();
  const { control, fault } = useControl(id, { name, error, help });
  return (
    <div className={clsx('grid min-w-0 gap-1.5', className)}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-sm font-semibold'}>
        {label}
        {required === false && <span className="font-normal text-quiet"> {t('(optional)')}</span>}
      </label>
      {children(control)}
      <FieldNotes id={id} help={help} fault={fault} />
    </div>
  );
}

/** Joins a control to its notes and to the fault that the form knows of its name. */
export function useControl(
  id: string,
  { name, error, help }: { name?: string | undefined; error?: string | undefined; help?: ReactNode },
): { control: ControlProps; fault: string | undefined } {
  const { faults } = useFormState();
  const fault = error ?? (name === undefined ? undefined : faults[name]);
  const notes = [help !== undefined && `${id}-help`, fault !== undefined && `${id}-fault`]
    .filter(Boolean)
    .join(' ');
  return {
    fault,
    control: {
      id,
      'aria-describedby': notes || undefined,
      'aria-invalid': fault === undefined ? undefined : true,
    },
  };
}

export function FieldNotes({
  id,
  help,
  fault,
}: {
  id: string;
  help?: ReactNode;
  fault: string | undefined;
}): ReactNode {
  return (
    <>
      {help !== undefined && (
        <p id={`${id}-help`} className="text-sm text-quiet">
          {help}
        </p>
      )}
      {fault !== undefined && <FaultNote id={`${id}-fault`} text={fault} />}
    </>
  );
}

/** What is wrong. A command in it stands between backticks, and can be copied. */
function FaultNote({ id, text }: { id: string; text: string }): ReactNode {
  const [before, command, after] = text.split('`');
  const words = (
    <p id={id} className="text-sm font-semibold text-lost">
      {before}
      {command !== undefined && <code className="font-mono font-normal wrap-anywhere">{command}</code>}
      {after}
    </p>
  );
  if (command === undefined) return words;
  return (
    <>
      {words}
      <div>
        <Copy text={command} what={t('the command')} label={t('Copy the command')} variant="quiet" />
      </div>
    </>
  );
}
