<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\FlorinException;

/**
 * Calls that belong together.
 */
abstract class CallGroup
{
    private Sender $sender;

    public function __construct(Sender $sender)
    {
        $this->sender = $sender;
    }

    /**
     * The `data` of a call's answer.
     *
     * @return mixed
     * @throws FlorinException
     */
    protected function call(string $name, array $parts = [])
    {
        return $this->sender->send($name, $parts)[0];
    }

    /** @throws FlorinException */
    protected function createPayment(string $name, array $parts): array
    {
        return (new CreatePayment($this->sender))->perform($name, $parts);
    }

    /**
     * Yields every item of a paged list, and fetches the next page only when the caller needs it.
     *
     * @param callable(array): array $list
     */
    protected function everyItem(callable $list, array $filter): \Generator
    {
        do {
            $page = $list($filter);
            foreach ($page['items'] as $item) {
                yield $item;
            }
            $filter['cursor'] = $page['next_cursor'] ?? null;
        } while ($filter['cursor'] !== null);
    }
}
