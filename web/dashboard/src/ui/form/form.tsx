import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Banner } from '../feedback/banner.tsx';
import { type Fault, type FormValues, faultOf, valuesOf } from './fault.ts';
import { FormContext } from './form-context.ts';
import { brokenRules } from './own-rules.ts';

export type { FormValues };

export type FormProps = {
  /** Sends what was filled in. What it throws is shown: at the fields it names, else above the form. */
  onSend: (values: FormValues, form: HTMLFormElement) => Promise<unknown>;
  children: ReactNode;
  className?: string;
  /** Names the form where no heading does. */
  label?: string;
};

const noFault: Fault = { message: '', faults: {} };

/**
 * A form whose fields show their own faults: rules that they break, and those of the gateway's `details`, by the name of the
 * field. After a refusal the focus is on the first field that is wrong.
 */
export function Form({ onSend, children, className = 'grid gap-5', label }: FormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  const [fault, setFault] = useState<Fault>(noFault);
  const [past, setPast] = useState<readonly string[]>([]);
  useFocusOnFault(form, fault);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // A form in a dialog is, for React, inside the form that opened it.
    event.stopPropagation();
    const element = event.currentTarget;
    if (pending) return;
    const faults = brokenRules(element);
    if (Object.keys(faults).length > 0) return show({ message: '', faults });
    setPending(true);
    show(noFault);
    try {
      await onSend(valuesOf(element), element);
    } catch (error) {
      show(faultOf(error, element));
    } finally {
      setPending(false);
    }
  }

  /** What was wrong with a field is past once it is changed. */
  function forget({ target }: FormEvent<HTMLFormElement>): void {
    const { name } = target as unknown as { name: string };
    if (name in fault.faults) setPast([...past, name]);
  }

  function show(found: Fault): void {
    setFault(found);
    setPast([]);
  }

  const faults = Object.fromEntries(Object.entries(fault.faults).filter(([name]) => !past.includes(name)));
  return (
    <FormContext value={{ pending, faults }}>
      <form ref={form} onSubmit={send} onInput={forget} noValidate className={className} aria-label={label}>
        {fault.message && (
          <Banner tone="lost" role="alert">
            {fault.message}
          </Banner>
        )}
        {children}
      </form>
    </FormContext>
  );
}

function useFocusOnFault(form: RefObject<HTMLFormElement | null>, fault: Fault): void {
  useEffect(() => {
    if (fault === noFault) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [form, fault]);
}
