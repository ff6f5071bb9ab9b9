<?php

declare(strict_types=1);

namespace Florin\WooCommerce;

use RuntimeException;

/** A call that the gateway refused, or that had no answer. The message is the gateway's own, for people. */
final class ApiError extends RuntimeException
{
    /** The HTTP status; 0 where there was no answer. */
    public int $status;
    /** The stable name of the error, such as `not_found`; empty where there was no answer. */
    public string $error;

    public function __construct(string $message, int $status = 0, string $error = '')
    {
        parent::__construct($message, $status);
        $this->status = $status;
        $this->error = $error;
    }
}
