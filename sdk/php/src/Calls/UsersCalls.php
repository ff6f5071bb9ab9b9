<?php

// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

declare(strict_types=1);

namespace Florin\Calls;

use Florin\FlorinException;
use Florin\Internal\CallGroup;

/**
 * The calls of `users`.
 *
 * @phpstan-import-type User from \Florin\Types\Balances
 */
final class UsersCalls extends CallGroup
{
    /**
     * Whether a user has a wallet.
     *
     * @return User
     * @throws FlorinException
     */
    public function get(string $username): array
    {
        return $this->call('GET /users/{username}', ['path' => [$username]]);
    }
}
