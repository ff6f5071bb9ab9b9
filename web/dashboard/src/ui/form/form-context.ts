import { createContext, useContext } from 'react';

/** The state of a form for its parts: whether it is being sent, and the fault of each field. */
export type FormState = { pending: boolean; faults: Readonly<Record<string, string>> };

const outsideOfForms: FormState = { pending: false, faults: {} };

export const FormContext = createContext<FormState>(outsideOfForms);

export function useFormState(): FormState {
  return useContext(FormContext);
}
