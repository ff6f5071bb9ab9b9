import { defineErrors } from '../../kit/errors.ts';

export const payoutErrors = defineErrors({
  asset_required: { code: 7000, status: 400, message: 'Asset is required' },
  asset_unsupported: { code: 7001, status: 400, message: 'Asset not supported' },
  to_required: { code: 7018, status: 400, message: 'to is required' },
  below_minimum_payout: {
    code: 7002,
    status: 400,
    message: 'amount is below the minimum payout of {min} {asset}',
  },
  payouts_not_enabled: { code: 7003, status: 403, message: 'Payouts are not enabled' },
  address_unknown: { code: 7004, status: 403, message: 'Address is not in the address book' },
  address_rests: { code: 7005, status: 403, message: 'Address may be used from {time}', retryable: true },
  payout_limit: {
    code: 7006,
    status: 403,
    message: 'This key may pay out {limit} {asset} a day; {left} is left',
    retryable: true,
  },
  payout_not_found: { code: 7007, status: 404, message: 'Payout not found' },
  payout_reference_exists: { code: 7008, status: 409, message: 'payout_reference already exists' },
  payout_not_cancellable: { code: 7009, status: 409, message: 'Payout can no longer be cancelled' },
  payouts_unavailable: {
    code: 7010,
    status: 409,
    message: 'Payouts in {asset} are not available: {why}',
    retryable: true,
  },
  payouts_stopped: { code: 7011, status: 409, message: 'Payouts are stopped' },
  not_approvable: { code: 7012, status: 409, message: 'Payout no longer waits for approval' },
  own_payout: { code: 7013, status: 403, message: 'Who asked for a payout cannot approve it' },
  approved_already: { code: 7014, status: 409, message: 'You approved this payout already' },
  too_few_approvers: {
    code: 7015,
    status: 409,
    message: 'Too few people could approve: {needed} are needed beside the one who asks',
  },
  address_known: { code: 7016, status: 409, message: 'Address is in the address book already' },
  schedule_exists: { code: 7060, status: 409, message: 'There is a schedule for this asset already' },
  schedule_maker_gone: {
    code: 7061,
    status: 409,
    message: 'Who set the schedule up may no longer make payouts',
  },
  not_playable_payout: { code: 7017, status: 409, message: 'Not possible while the payout is {status}' },
  nothing_to_export: {
    code: 7070,
    status: 409,
    message: 'No payout of {network} waits that could be exported',
  },
  export_not_found: { code: 7071, status: 404, message: 'Export not found' },
  export_ended: { code: 7072, status: 409, message: 'No payout of this export waits any more' },
  export_kept: {
    code: 7073,
    status: 409,
    message:
      'This export cannot be taken back: nothing of it waits, or it calls another vault than the configured one',
  },
  fees_short: { code: 7050, status: 403, message: 'Fees are {available} {asset}' },
});
