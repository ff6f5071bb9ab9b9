export type { SendResult } from './answer.ts';
export { checkReceiver, plannedExchanges } from './check.ts';
export type { Signing } from './delivery.ts';
export type { OtherSecret } from './probes.ts';
export type { Advice, ExchangeReport, Findings, RuleReport, Verdict } from './report.ts';
export { emptyFindings, findingFields } from './report.ts';
export type { CheckRequest, Receiver, Send } from './run.ts';
