<?php

declare(strict_types=1);

namespace Florin\Internal;

/**
 * A complete answer; the names of its headers are in lower case.
 */
final class Answer
{
    public int $status;

    /** @var array<string, string> */
    public array $headers;

    public string $text;

    /** @param array<string, string> $headers */
    public function __construct(int $status, array $headers, string $text)
    {
        $this->status = $status;
        $this->headers = $headers;
        $this->text = $text;
    }
}
