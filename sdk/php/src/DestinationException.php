<?php

declare(strict_types=1);

namespace Florin;

/**
 * An address of a payment that is not the one that follows from what was agreed on.
 *
 * The message says what differs. `$reason` is one of `bad_terms`, `other_settlement`, `other_merchant`, `other_host`,
 * `other_basis_points`, `other_treasury` and `other_address`: then it follows from nothing that was agreed on.
 */
final class DestinationException extends \RuntimeException
{
    public string $reason;

    public function __construct(string $reason, string $message)
    {
        parent::__construct($message);
        $this->reason = $reason;
    }
}
