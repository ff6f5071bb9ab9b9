import type { OnboardingStep } from '../../../../../../gateway/src/payments/api/console-answers/overview.ts';
import type { Mode } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';

type Words = { title: string; help: string };

const common = {
  endpoint: {
    title: t('Create a webhook endpoint'),
    help: t('Your server gets a webhook for each change, even if the customer never comes back.'),
  },
  verified: {
    title: t('Answer a webhook with 2xx'),
    help: t('Verify its signature first. An event of a real payment counts, a test event does not.'),
  },
  approval_asked: {
    title: t('Ask for live mode'),
    help: t('Settings lists the tasks that are left before an operator decides.'),
  },
  approved: { title: t('Get approved'), help: t('You get an e-mail. Live keys work from then on.') },
} as const;

const keyHelp = t('Your server signs in with it. Keep it out of web pages and apps.');
const paymentHelp = t(
  'Create one here, or by one API call: it has the address of the page where your customer pays.',
);

const ofTest = {
  key: { title: t('Copy your test key'), help: keyHelp },
  payment: { title: t('Create a test payment'), help: paymentHelp },
  completed: {
    title: t('See it completed'),
    help: t('Open that page and simulate success. No money moves in test mode.'),
  },
} as const;

const ofLive = {
  key: { title: t('Copy your live key'), help: keyHelp },
  payment: { title: t('Create a live payment'), help: paymentHelp },
  completed: {
    title: t('See it completed'),
    help: t('A payment completes as soon as its transfer has its confirmations.'),
  },
} as const;

/** What a step to the first live payment asks for, and why. */
export function stepWords(step: OnboardingStep['step'], mode: Mode): Words {
  return { ...common, ...(mode === 'test' ? ofTest : ofLive) }[step];
}
