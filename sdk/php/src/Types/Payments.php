<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Types;

/**
 * The types of what is sent and answered: payments.
 *
 * The status of a payment. Fulfil an order when a webhook says `completed`.
 * @phpstan-type PaymentStatus 'unlinked'|'linked'|'pending'|'completed'|'failed'|'cancelled'|'in-appeal'
 *
 * @phpstan-type CreatedPaymentData array{
 *     id: string,
 *     payment_reference: string,
 *     amount: int|float,
 *     currency: string,
 *     payment_status: PaymentStatus,
 *     payment_type: string,
 *     created_at: string,
 * }
 *
 * A payment that was made: keep `payment_reference`, send the customer to `PaymentURL`.
 * @phpstan-type CreatedPayment array{
 *     PaymentData: CreatedPaymentData,
 *     PaymentURL: string,
 * }
 *
 * What is asked in the merchant's own money, in place of `amount`: it is paid in coins, at a rate
 * that is fixed when they are chosen.
 * @phpstan-type Price array{
 *     amount: string|int,
 *     currency: string,
 * }
 *
 * A currency that a payment can be charged in.
 * @phpstan-type Currency 'PI'|'USDC'|'USDT'|'CSK'
 *
 * One line of what is being bought, shown on the hosted page.
 * @phpstan-type Item array{
 *     name: string,
 *     price: string|int|float,
 *     quantity: string|int|float,
 * }
 *
 * Who pays the fee: `merchant` receives amount minus fee, `customer` pays amount plus fee.
 * @phpstan-type FeePayer 'merchant'|'customer'
 *
 * @phpstan-type ItemList array{
 *     items: list<Item>,
 * }
 *
 * Body of `payments.create`. `amount` is a JSON number in `currency`, not in minor units; `price`
 * takes its place.
 * @phpstan-type PaymentInput array{
 *     amount?: string|int,
 *     price?: Price,
 *     currency?: Currency,
 *     currencies?: list<Currency>,
 *     payment_type: 'deposit',
 *     customer_email?: string,
 *     customer_reference?: string,
 *     success_url?: string,
 *     failure_url?: string,
 *     item_list?: ItemList,
 *     payment_reference?: string,
 *     meta_data?: string,
 *     fee_payer?: FeePayer,
 *     payment_note?: string,
 * }
 *
 * The short public record of a payment. `amount` is a number, times are ISO 8601 UTC.
 * @phpstan-type PaymentInfo array{
 *     payment_reference: string,
 *     amount: int|float,
 *     currency: string,
 *     payment_status: PaymentStatus,
 *     created_at: string,
 *     updated_at: string,
 * }
 *
 * A payment as `payments.list` returns it. Amounts are decimal strings; `reason` is why it has its
 * status.
 * @phpstan-type PaymentSummary array{
 *     id: string,
 *     payment_reference: string,
 *     amount: string,
 *     currency: string,
 *     payment_status: PaymentStatus,
 *     reason: string|null,
 *     payment_type: string,
 *     amount_due: string|null,
 *     service_fee: string,
 *     fee_payer: FeePayer,
 *     customer_email: string|null,
 *     customer_reference: string|null,
 *     success_url: string|null,
 *     failure_url: string|null,
 *     item_list: ItemList|null,
 *     meta_data: string|null,
 *     payment_note: string|null,
 *     payment_link: string|null,
 *     deadline: string,
 *     created_at: string,
 *     updated_at: string,
 *     PaymentURL: string|null,
 * }
 *
 * @phpstan-type QuoteSource array{
 *     name: string,
 *     rate: string,
 *     at: string,
 * }
 *
 * What pays a `price`: `rate` is units of the price's currency for one of `currency`, with what
 * each source said.
 * @phpstan-type Quote array{
 *     currency: Currency,
 *     amount: string,
 *     rate: string,
 *     at: string,
 *     sources: list<QuoteSource>,
 * }
 *
 * A transfer that was seen for a payment; `amount` is a decimal string in `asset`.
 * @phpstan-type Transfer array{
 *     transaction: string,
 *     asset: string,
 *     amount: string,
 *     confirmations: int,
 *     needed: int,
 *     state: 'seen'|'final'|'gone',
 *     network: string,
 *     sender: string|null,
 *     transaction_url: string|null,
 *     sender_url: string|null,
 * }
 *
 * One step in the life of a payment.
 * @phpstan-type TimelineEntry array{
 *     at: string,
 *     status: PaymentStatus,
 *     reason: string|null,
 * }
 *
 * The transfer by which you answer a refund of money that went to your own address: exactly this
 * `amount`, from `from` to `to`.
 * @phpstan-type PreparedTransfer array{
 *     chain_id: int,
 *     token: string,
 *     from: string,
 *     to: string,
 *     amount: string,
 *     data: string,
 *     link: string,
 *     safe: string,
 * }
 *
 * A refund of a payment; amounts are decimal strings in `asset`. `claim_url` leads the customer to
 * where they say where it goes.
 * @phpstan-type Refund array{
 *     id: string,
 *     payment_reference: string,
 *     status: 'awaiting_destination'|'awaiting_approval'|'awaiting_transfer'|'queued'|'sending'|'completed'|'cancelled'|'rejected'|'failed',
 *     asset: string,
 *     amount: string,
 *     fee_returned: string,
 *     to: string|null,
 *     memo: string|null,
 *     reason: string|null,
 *     claim_url: string|null,
 *     transfer: PreparedTransfer|null,
 *     transaction: string|null,
 *     failure: string|null,
 *     created_at: string,
 *     completed_at: string|null,
 * }
 *
 * Everything known of a payment. Amounts are decimal strings.
 * @phpstan-type Payment array{
 *     id: string,
 *     payment_reference: string,
 *     amount: string,
 *     currency: string,
 *     payment_status: PaymentStatus,
 *     reason: string|null,
 *     payment_type: string,
 *     amount_due: string|null,
 *     service_fee: string,
 *     fee_payer: FeePayer,
 *     customer_email: string|null,
 *     customer_reference: string|null,
 *     success_url: string|null,
 *     failure_url: string|null,
 *     item_list: ItemList|null,
 *     meta_data: string|null,
 *     payment_note: string|null,
 *     payment_link: string|null,
 *     deadline: string,
 *     created_at: string,
 *     updated_at: string,
 *     PaymentURL: string|null,
 *     short: bool,
 *     settlement?: 'balance'|'direct',
 *     quote?: Quote|null,
 *     amount_received: string|null,
 *     transfers: list<Transfer>,
 *     timeline: list<TimelineEntry>,
 *     refunds: list<Refund>,
 * }
 *
 * What the customer is asked to send to an address, signed by the installation.
 * @phpstan-type PaymentRequest array{
 *     amount: string,
 *     reference: string,
 *     deadline: int,
 *     words: string,
 *     signer: string,
 *     signature: string,
 * }
 *
 * An address of a payment, and by what it can be recomputed. `splitter` to `basis_points` are null
 * where the money is credited to the balance.
 * @phpstan-type PaymentDestination array{
 *     asset: string,
 *     chain_id: int,
 *     address: string,
 *     settlement: 'balance'|'direct',
 *     factory: string,
 *     init_code_hash: string,
 *     salt: string,
 *     destination: string,
 *     splitter: string|null,
 *     merchant: string|null,
 *     host: string|null,
 *     basis_points: int|null,
 *     request: PaymentRequest,
 * }
 *
 * Body of `refunds.create`. Without `amount`: all that can be refunded; without `to` the customer
 * is asked.
 * @phpstan-type RefundInput array{
 *     amount?: string|int,
 *     price_amount?: string|int,
 *     asset?: string,
 *     to?: string,
 *     memo?: string,
 *     reason?: string,
 *     dry_run?: bool,
 * }
 *
 * Which payments, and which page.
 * @phpstan-type PaymentFilter array{
 *     status?: PaymentStatus,
 *     currency?: string,
 *     customer_reference?: string,
 *     payment_link?: string,
 *     from?: string,
 *     to?: string,
 *     cursor?: string,
 *     limit?: int,
 * }
 *
 * @phpstan-type PaymentsDestinationsAnswer array{
 *     items: list<PaymentDestination>,
 * }
 */
final class Payments
{
}
