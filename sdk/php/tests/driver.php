<?php

// The driver of this SDK for the conformance suite: one case a line in, one result a line out.

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Florin\Client;
use Florin\Destination;
use Florin\DestinationException;
use Florin\FlorinException;
use Florin\Internal\Keccak;
use Florin\Webhook;
use Florin\WebhookVerificationException;

function perform_call(array $given): array
{
    $waits = [];
    $options = ['secret_key' => $given['secretKey'], 'base_url' => $given['baseUrl']];
    $options['sleep'] = static function (float $seconds) use (&$waits): void {
        $waits[] = (int) round($seconds * 1000);
    };
    foreach (['timeoutMs' => 'timeout_seconds', 'deadlineMs' => 'deadline_seconds'] as $name => $option) {
        if (isset($given[$name])) {
            $options[$option] = $given[$name] / 1000;
        }
    }
    if (isset($given['maxRetries'])) {
        $options['max_retries'] = $given['maxRetries'];
    }
    try {
        $answer = invoke(new Client($options), $given);
        $data = $answer instanceof Generator ? iterator_to_array($answer, false) : $answer;
        return ['data' => $data, 'waitsMs' => $waits];
    } catch (FlorinException $error) {
        return ['error' => fault_of($error), 'waitsMs' => $waits];
    } catch (InvalidArgumentException $error) {
        return ['invalid' => true];
    }
}

/** @return mixed */
function invoke(Client $client, array $given)
{
    $places = explode('.', $given['call']);
    $verb = array_pop($places);
    $target = array_reduce($places, static function (object $at, string $name): object {
        return $at->$name;
    }, $client);
    $args = $given['args'];
    if (isset($given['key'])) {
        foreach ((new ReflectionMethod($target, $verb))->getParameters() as $parameter) {
            if ($parameter->getName() === 'idempotencyKey') {
                $args[$parameter->getPosition()] = $given['key'];
            } elseif (!array_key_exists($parameter->getPosition(), $args)) {
                $args[$parameter->getPosition()] = $parameter->getDefaultValue();
            }
        }
        ksort($args);
    }
    return $target->$verb(...$args);
}

function fault_of(FlorinException $error): array
{
    return [
        'status' => $error->status,
        'code' => $error->getCode(),
        'slug' => $error->slug,
        'message' => $error->getMessage(),
        'details' => $error->details,
        'requestId' => $error->requestId,
        'retryAfterSeconds' => $error->retryAfterSeconds,
        'tries' => $error->tries,
        'idempotencyKey' => $error->idempotencyKey,
    ];
}

function perform_webhook(array $given): array
{
    $names = [
        'secretKey' => 'secret_key',
        'endpointSecret' => 'endpoint_secret',
        'toleranceSeconds' => 'tolerance_seconds',
        'now' => 'now',
    ];
    $options = [];
    foreach ($names as $name => $option) {
        if (array_key_exists($name, $given)) {
            $options[$option] = $given[$name];
        }
    }
    try {
        $event = Webhook::verify(base64_decode($given['body']), $given['headers'], $options);
        return ['event' => ['event_id' => $event['event_id'], 'event_type' => $event['event_type']]];
    } catch (WebhookVerificationException $error) {
        return ['refusal' => $error->reason];
    }
}

function agreed_of(array $given): array
{
    $agreed = $given['agreed'];
    if (isset($agreed['basisPoints'])) {
        $agreed['basis_points'] = $agreed['basisPoints'];
    }
    return $agreed;
}

function perform_words(array $given): array
{
    $request = ['chain_id' => $given['chainId']] + $given;
    try {
        return ['words' => Destination::words($given['paymentId'], agreed_of($given), $request)];
    } catch (DestinationException $error) {
        return ['refusal' => $error->reason];
    }
}

function perform_destination(array $given): array
{
    $agreed = agreed_of($given);
    try {
        Destination::verify($given['paymentId'], $given['destination'], $agreed);
        return ['address' => Destination::address($given['paymentId'], $agreed)];
    } catch (DestinationException $error) {
        return ['refusal' => $error->reason];
    }
}

function perform_keccak(array $given): array
{
    return ['digest' => bin2hex(Keccak::hash(base64_decode($given['bytes'])))];
}

while (($line = fgets(STDIN)) !== false) {
    $case = json_decode($line, true);
    $result = ('perform_' . $case['kind'])($case);
    fwrite(STDOUT, json_encode($result, JSON_THROW_ON_ERROR) . "\n");
}
