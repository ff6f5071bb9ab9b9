<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;
use Florin\Internal\Sender;

/**
 * Every call of the merchant API, by place.
 */
class Calls extends CallGroup
{
    public PaymentsCalls $payments;
    public PaymentLinksCalls $paymentLinks;
    public RefundsCalls $refunds;
    public TestCalls $test;
    public KeyCalls $key;
    public PayoutsCalls $payouts;
    public UsersCalls $users;
    public BalancesCalls $balances;
    public BalanceEntriesCalls $balanceEntries;
    public EventsCalls $events;
    public WebhookEndpointsCalls $webhookEndpoints;
    public RatesCalls $rates;

    public function __construct(Sender $sender)
    {
        parent::__construct($sender);
        $this->payments = new PaymentsCalls($sender);
        $this->paymentLinks = new PaymentLinksCalls($sender);
        $this->refunds = new RefundsCalls($sender);
        $this->test = new TestCalls($sender);
        $this->key = new KeyCalls($sender);
        $this->payouts = new PayoutsCalls($sender);
        $this->users = new UsersCalls($sender);
        $this->balances = new BalancesCalls($sender);
        $this->balanceEntries = new BalanceEntriesCalls($sender);
        $this->events = new EventsCalls($sender);
        $this->webhookEndpoints = new WebhookEndpointsCalls($sender);
        $this->rates = new RatesCalls($sender);
    }

    /**
     * Credit a user's wallet from the business balance.
     *
     * @param FundUserInput $input
     * @throws FlorinException
     */
    public function fundUser(array $input, ?string $idempotencyKey = null): void
    {
        $this->call(
            'POST /payment/fund-user',
            ['body' => $input, 'key' => $idempotencyKey, 'numbers' => ['amount']],
        );
    }
}
