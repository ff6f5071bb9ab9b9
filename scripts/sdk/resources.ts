import type { Call } from './model.ts';

/** The calls of one place of an SDK, such as `payouts`, and the names of the places in it. */
export type Resource = { place: string[]; group: string; calls: Call[]; children: string[] };

/** The places, those that hold others included; the first is the client itself. */
export function resourcesOf(calls: readonly Call[]): Resource[] {
  const resources = new Map<string, Resource>([['', { place: [], group: '', calls: [], children: [] }]]);
  const at = (place: string[], group: string): Resource => {
    const known = resources.get(place.join('.'));
    if (known) return known;
    const made: Resource = { place, group, calls: [], children: [] };
    resources.set(place.join('.'), made);
    at(place.slice(0, -1), group).children.push(place.at(-1) ?? '');
    return made;
  };
  for (const call of calls) at(call.place, call.group).calls.push(call);
  return [...resources.values()];
}

/** The name of the call that walks all pages: `listAll`, `deliveriesAll`. */
export const allOf = (call: Call): string => `${call.verb}All`;

/** Whether `payments.create` is meant: it also says whether an earlier call had made the payment. */
export const isCreate = (call: Call): boolean => call.template === '/payment/create';
