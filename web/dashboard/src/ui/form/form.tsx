import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError, type FieldFault, messageOf } from '../../api/api-error.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { Banner } from '../feedback/banner.tsx';
import { FormContext } from './form-context.ts';

/** The text of each named field; a box that is ticked is `on`, one that is not is absent. */
export type FormValues = Record<string, string>;

export type FormProps = {
  /** Sends what was filled in. What it throws is shown: at the fields it names, else above the form. */
  onSend: (values: FormValues, form: HTMLFormElement) => Promise<unknown>;
  children: ReactNode;
  className?: string;
  /** Names the form where no heading does. */
  label?: string;
};

type Fault = { message: string; faults: Record<string, string> };

const noFault: Fault = { message: '', faults: {} };

/**
 * A form whose fields show their own faults: those of the gateway's `details`, by the name of the field. After a
 * refusal the focus is on the first field that is wrong.
 */
export function Form({ onSend, children, className = 'grid gap-5', label }: FormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  const [fault, setFault] = useState<Fault>(noFault);
  useFocusOnFault(form, fault);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // A form in a dialog is, for React, inside the form that opened it.
    event.stopPropagation();
    const element = event.currentTarget;
    if (pending || !element.reportValidity()) return;
    setPending(true);
    setFault(noFault);
    try {
      await onSend(valuesOf(element), element);
    } catch (error) {
      setFault(faultOf(error, element));
    } finally {
      setPending(false);
    }
  }

  return (
    <FormContext value={{ pending, faults: fault.faults }}>
      <form ref={form} onSubmit={send} className={className} aria-label={label}>
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

function valuesOf(form: HTMLFormElement): FormValues {
  const entries = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

/** Faults of the form's fields are shown at those fields; everything else is shown above the form. */
function faultOf(error: unknown, form: HTMLFormElement): Fault {
  const details = error instanceof ApiError ? detailsOf(error) : [];
  const here = details.filter(({ field }) => form.elements.namedItem(field) !== null);
  const faults = Object.fromEntries(here.map(({ field, message }) => [field, besideField(message)]));
  return { message: here.length > 0 && here.length === details.length ? '' : messageOf(error), faults };
}

/** The gateway's text begins with the field; at the field itself the rest is a sentence. */
function besideField(message: string): string {
  const why = message.replace(/^\w+ is invalid: /, '');
  const known = ofGateway(why);
  if (why === message || known !== why) return known;
  return /^(is|has|must)\b/.test(why) ? t('It {why}.', { why }) : why;
}

/** A single fault is in the message alone: `name is invalid: is required`. */
function detailsOf({ details, message }: ApiError): FieldFault[] {
  const [, field] = /^(\w+)[\w.]* is invalid: /.exec(message) ?? [];
  return details.length === 0 && field !== undefined ? [{ field, message }] : details;
}

function useFocusOnFault(form: RefObject<HTMLFormElement | null>, fault: Fault): void {
  useEffect(() => {
    if (fault === noFault) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [form, fault]);
}
