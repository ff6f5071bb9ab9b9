import { t } from '../../texts/t.ts';

/** The tasks before live mode by their slugs: what is shown of an integration, and what to do for it. */
export const taskWords: Record<string, { title: string; help: string }> = {
  email: {
    title: t('An owner confirmed their e-mail address'),
    help: t('Open the link that was made with the account: it came by mail, or operators have it.'),
  },
  business: {
    title: t('The business has a name'),
    help: t('Customers and operators know you by it.'),
  },
  domain: {
    title: t('The shop’s domain is verified'),
    help: t('Enter it under General, and publish the proof.'),
  },
  fee: {
    title: t('The fee is understood'),
    help: t('Read what a live payment costs, and accept it.'),
  },
  payment: {
    title: t('A test payment was completed'),
    help: t('Create one with the test key, open its page and simulate success.'),
  },
  redirect: {
    title: t('Customers come back to the shop'),
    help: t('Set a success address under General, or send success_url, and complete a test payment with it.'),
  },
  own_address: {
    title: t('Payments go to an address of your own'),
    help: t('The operator asks for it: set an address under Payouts, Your own wallet.'),
  },
  webhook: {
    title: t('A webhook was delivered'),
    help: t('Create an endpoint under Webhooks, complete a test payment, and answer its webhook with a 2xx.'),
  },
};
