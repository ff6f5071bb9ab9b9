<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;
use Florin\Internal\Sender;

/**
 * The calls of `test`.
 *
 * @phpstan-import-type Payment from \Florin\Types\Payments
 * @phpstan-import-type Scenario from \Florin\Types\TestMode
 * @phpstan-import-type SimulateInput from \Florin\Types\TestMode
 * @phpstan-import-type Script from \Florin\Types\TestMode
 * @phpstan-import-type TopUpInput from \Florin\Types\TestMode
 * @phpstan-import-type TopUp from \Florin\Types\TestMode
 */
final class TestCalls extends CallGroup
{
    public TestPayoutsCalls $payouts;
    public TestChaosCalls $chaos;
    public TestChecksCalls $checks;
    public TestClockCalls $clock;
    public TestRatesCalls $rates;

    public function __construct(Sender $sender)
    {
        parent::__construct($sender);
        $this->payouts = new TestPayoutsCalls($sender);
        $this->chaos = new TestChaosCalls($sender);
        $this->checks = new TestChecksCalls($sender);
        $this->clock = new TestClockCalls($sender);
        $this->rates = new TestRatesCalls($sender);
    }

    /**
     * The outcomes that can be played.
     *
     * @return array{items: list<Scenario>, next_cursor: string|null}
     * @throws FlorinException
     */
    public function scenarios(): array
    {
        return $this->call('GET /test/scenarios');
    }

    /**
     * Play an outcome on a test payment.
     *
     * @param SimulateInput $input
     * @return Payment
     * @throws FlorinException
     */
    public function simulate(
        string $paymentReference,
        array $input,
        ?string $idempotencyKey = null
    ): array {
        return $this->call(
            'POST /test/payments/{payment_reference}/simulate',
            ['path' => [$paymentReference], 'body' => $input, 'key' => $idempotencyKey],
        );
    }

    /**
     * What playing an outcome would come to.
     *
     * @param SimulateInput $input
     * @return Script
     * @throws FlorinException
     */
    public function script(string $paymentReference, array $input): array
    {
        return $this->call(
            'GET /test/payments/{payment_reference}/script',
            ['path' => [$paymentReference], 'query' => $input],
        );
    }

    /**
     * Give test money to the business.
     *
     * @param TopUpInput $input
     * @return TopUp
     * @throws FlorinException
     */
    public function topUp(array $input, ?string $idempotencyKey = null): array
    {
        return $this->call('POST /test/top-ups', ['body' => $input, 'key' => $idempotencyKey]);
    }
}
