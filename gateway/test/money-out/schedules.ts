import fc from 'fast-check';
import { type Disturbance, parts, type Schedule, type Step, type Terms, type Who } from './steps.ts';

// Schedules for fast-check to make up: what people and processes do, among what happens to their network.

export const one = <const T>(...values: T[]) => fc.constantFrom(...values);
const nth = fc.nat(5);
const who = one<Who>(0, 0, 1);

const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  at: fc.nat(40),
  what: one('killed', 'killed', 'killed after', 'killed after', 'shaken', 'overtaken', 'shaken, overtaken'),
});
const part = one('read', 'read', 'sweep', 'send', 'send', ...parts);

const weighted: { weight: number; arbitrary: fc.Arbitrary<Step> }[] = [
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create'), asset: nth }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: fc.constant('pay'), payment: nth, payer: fc.nat(1) },
      thousandths: one(500, 999, 1000, 1000, 1000, 1500),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      ...{ do: fc.constant('ask'), asset: nth },
      ...{ thousandths: one(100, 300, 500, 1000), count: one(1, 1, 2, 3) },
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('approve'), payout: nth }) },
  { weight: 1, arbitrary: fc.record({ do: one('reject', 'give up'), payout: nth }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel'), payout: nth }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: fc.constant('refund'), payment: nth },
      ...{ tenths: one(null, 1, 3, 10), isAddressed: one(true, true, false) },
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('claim'), refund: nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('claim owed'), payment: nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel refund'), refund: nth }) },
  { weight: 1, arbitrary: fc.record({ do: one('dispute', 'return', 'uphold'), payment: nth }) },
  { weight: 1, arbitrary: fc.record({ do: one('stop', 'resume', 'resume') }) },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('work'), part, who, disturbance: fc.constant(null) }),
  },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('work'), part, who, disturbance }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart'), who }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait'), seconds: one(1, 30, 70, 130, 3600, 86_400) }),
  },
  { weight: 2, arbitrary: fc.record({ do: one('race', 'mend', 'mend', 'expire') }) },
];

export const works = (name: (typeof parts)[number], at: Disturbance | null = null): Step => ({
  ...{ do: 'work', part: name, who: 0, disturbance: at },
});
export const pays = (payment: number, thousandths = 1000): Step => ({
  ...{ do: 'pay', payment, payer: payment % 2, thousandths },
});
export const asks = (thousandths: number, count = 1): Step => ({ do: 'ask', asset: 0, thousandths, count });
export const refunds = (tenths: number | null, isAddressed: boolean): Step => ({
  ...{ do: 'refund', payment: 0, tenths, isAddressed },
});

/**
 * Whole schedules. Each begins with two payments in the same asset that are paid and booked, since without money
 * nothing leaves; `booked`: what a network needs for that.
 */
export function schedulesOf<Network, Setting>(network: {
  setting: fc.Arbitrary<Setting>;
  booked: readonly (Step | Network)[];
  beginnings: readonly (readonly (Step | Network)[])[];
  steps: readonly { weight: number; arbitrary: fc.Arbitrary<Step | Network> }[];
}): fc.Arbitrary<Schedule<Network, Setting>> {
  const step = fc.oneof(...weighted, ...network.steps) as fc.Arbitrary<Step | Network>;
  return fc
    .record({
      terms: fc.record<Terms>({
        approvals: one<0 | 1>(0, 0, 1),
        feeOnRefund: one('kept', 'returned'),
        payoutFee: one(0n, 0n, 1_000n),
      }),
      setting: network.setting,
      overpaid: one(1000, 1000, 1700),
      beginning: fc.constantFrom(...network.beginnings),
      steps: fc.array(step, { minLength: 6, maxLength: 24 }),
    })
    .map(({ terms, setting, overpaid, beginning, steps }) => ({
      ...{ terms, setting },
      steps: [
        ...[{ do: 'create', asset: 0 } as const, { do: 'create', asset: 0 } as const],
        ...[pays(0, overpaid), pays(1)],
        ...network.booked,
        ...beginning,
        ...steps,
      ],
    }));
}
