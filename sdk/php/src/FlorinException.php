<?php

declare(strict_types=1);

namespace Florin;

/**
 * A call that did not succeed.
 *
 * The message and `$slug` are the gateway's own (contract.md#answers). When no usable answer came, `$status` and
 * `getCode()` are 0 and `$slug` is `network_error` or `timeout`; an answer that is not the gateway's (a proxy's page, a
 * redirect) keeps its status and has the slug `unexpected_response`.
 */
final class FlorinException extends \RuntimeException
{
    /** HTTP status, or 0 when there was no answer. */
    public int $status;

    /** The gateway's stable name for this error (`error` in its body); `getCode()` is its stable number. */
    public string $slug;

    /** @var list<array{field: string, message: string}> The wrong fields, when there are several. */
    public array $details;

    /** Quote it when you ask the operator about this call. */
    public ?string $requestId;

    /** Set when the gateway said how long to wait. */
    public ?int $retryAfterSeconds;

    /** How many requests were sent. */
    public int $tries = 1;

    /** The key that a write was sent with: the same call with it takes effect once, however often it is sent. */
    public ?string $idempotencyKey = null;

    /** @param array{status?: int, code?: int, slug: string, details?: array, requestId?: ?string, retryAfterSeconds?: ?int} $fields */
    public function __construct(string $message, array $fields)
    {
        parent::__construct($message, $fields['code'] ?? 0);
        $this->status = $fields['status'] ?? 0;
        $this->slug = $fields['slug'];
        $this->details = $fields['details'] ?? [];
        $this->requestId = $fields['requestId'] ?? null;
        $this->retryAfterSeconds = $fields['retryAfterSeconds'] ?? null;
    }
}
