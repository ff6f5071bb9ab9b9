import { createContext, useContext } from 'react';

/** What the parts of a form know of it: whether it is being sent, and what was wrong with each field. */
export type FormState = { pending: boolean; faults: Readonly<Record<string, string>> };

const outsideOfForms: FormState = { pending: false, faults: {} };

export const FormContext = createContext<FormState>(outsideOfForms);

export function useFormState(): FormState {
  return useContext(FormContext);
}
