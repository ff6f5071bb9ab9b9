<?php

declare(strict_types=1);

namespace Florin;

/**
 * A webhook that could not be verified: answer 400.
 *
 * The message says what to correct if it was genuine, and holds nothing of a secret. `$reason` is one of `no_secret`,
 * `bad_secret`, `body_missing`, `body_parsed`, `body_decoded`, `missing_header`, `wrong_signature`, `too_old`, `too_new`,
 * `not_an_event` and `event_id_mismatch`.
 */
final class WebhookVerificationException extends \RuntimeException
{
    public string $reason;

    public function __construct(string $reason, string $message)
    {
        parent::__construct($message);
        $this->reason = $reason;
    }
}
