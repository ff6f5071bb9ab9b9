package florin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Webhook is what VerifyWebhook needs. Give both secrets to have both signatures checked.
type Webhook struct {
	// Body is the body exactly as it came: io.ReadAll(request.Body).
	Body []byte
	// Header is that of the request itself.
	Header http.Header
	// SecretKeys are the integration's signing keys, sk_...: one, or two while it is being rolled. They check X-Signature.
	// nil leaves that check out; an empty text, such as that of an environment variable that is not set, does not.
	SecretKeys []string
	// EndpointSecrets are the endpoint's secrets, whsec_...: they check webhook-signature, which also stops replays.
	EndpointSecrets []string
	// Tolerance is how far webhook-timestamp may be from Now; 5 minutes where it is 0.
	Tolerance time.Duration
	// Now is the present where it is zero.
	Now time.Time
}

// WebhookEvent is a verified webhook. Which of the pointers is set says what it is about; the type of a later gateway may
// have none of them: answer 200 and do nothing.
type WebhookEvent struct {
	EventID   string
	EventType EventType
	// Payment is set for what happened to a payment, refunds of it included.
	Payment *PaymentEvent
	// Refund is set, beside Payment, for what happened to a refund.
	Refund *RefundEvent
	Payout *PayoutEvent
	// EndpointDisabled is set when another endpoint of the integration was disabled.
	EndpointDisabled *WebhookEndpointDisabledEvent
	// Body is the whole event.
	Body json.RawMessage
}

// VerifyWebhook verifies that a webhook came from your gateway and returns its event (contract.md#webhooks). Deliveries can
// repeat: process each EventID once. The error is a *WebhookError: answer 400.
func VerifyWebhook(given Webhook) (*WebhookEvent, error) {
	signatures, err := signaturesOf(given)
	if err != nil {
		return nil, err
	}
	var wrong, right *signature
	for _, each := range signatures {
		if each.fits(given.Body) {
			if right == nil {
				right = each
			}
		} else if wrong == nil {
			wrong = each
		}
	}
	if wrong != nil {
		return nil, explain(wrong, right, given.Body)
	}
	if given.EndpointSecrets != nil {
		if err := checkAge(given); err != nil {
			return nil, err
		}
	}
	return readEvent(given)
}

func signaturesOf(given Webhook) ([]*signature, error) {
	secretKeys, err := readSecretKeys(given.SecretKeys)
	if err != nil {
		return nil, err
	}
	endpointKeys, err := readEndpointSecrets(given.EndpointSecrets)
	if err != nil {
		return nil, err
	}
	if len(given.Body) == 0 {
		return nil, refused(BodyMissing, "The body is empty or was read already by something else: pass io.ReadAll(request.Body)")
	}
	var signatures []*signature
	if secretKeys != nil {
		plain, err := plainSignature(secretKeys, given.Header)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, plain)
	}
	if endpointKeys != nil {
		standard, err := standardSignature(endpointKeys, given.Header)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, standard)
	}
	if len(signatures) == 0 {
		return nil, refused(NoSecret, "Pass SecretKeys, EndpointSecrets or both")
	}
	return signatures, nil
}

var leadingNumber = regexp.MustCompile(`^\s*([+-]?[0-9]+)`)

func checkAge(given Webhook) error {
	timestamp, err := requireHeader(given.Header, "webhook-timestamp")
	if err != nil {
		return err
	}
	now := given.Now
	if now.IsZero() {
		now = time.Now()
	}
	tolerance := int64(orElse(given.Tolerance, 5*time.Minute) / time.Second)
	match := leadingNumber.FindStringSubmatch(timestamp)
	if match == nil {
		return refused(TooOld, "webhook-timestamp is no time in Unix seconds")
	}
	// A number that is too large is the largest one.
	sent, _ := strconv.ParseInt(match[1], 10, 64)
	clock := fmt.Sprintf("%d s are allowed. If it is a true one, this machine's clock is", tolerance)
	if sent > now.Unix()+tolerance {
		return refused(TooNew, fmt.Sprintf("The webhook's time lies %d s ahead, and %s behind", sent-now.Unix(), clock))
	}
	if sent < now.Unix()-tolerance {
		message := "The webhook was sent %d s ago, and %s ahead, or something held it back"
		return refused(TooOld, fmt.Sprintf(message, now.Unix()-sent, clock))
	}
	return nil
}

func readEvent(given Webhook) (*WebhookEvent, error) {
	body := textOfBody(given.Body)
	var fields map[string]json.RawMessage
	// Unmarshal also takes a name in another case: the fields are found by their exact names first.
	isObject := json.Unmarshal([]byte(body), &fields) == nil
	id, hasID := textOf(fields["event_id"])
	kind, hasType := textOf(fields["event_type"])
	if !isObject || !hasID || !hasType {
		return nil, refused(NotAnEvent, "The signature is right, but the body is not an event")
	}
	if announced, ok := findHeader(given.Header, "x-event-id"); ok && announced != id {
		return nil, refused(EventIDMismatch, "X-Event-Id is not the event_id of the body")
	}
	event := &WebhookEvent{EventID: id, EventType: EventType(kind), Body: json.RawMessage(body)}
	event.Payment = about[PaymentEvent](body, fields["payment_id"])
	event.Refund = about[RefundEvent](body, fields["refund_id"])
	event.Payout = about[PayoutEvent](body, fields["payout_id"])
	event.EndpointDisabled = about[WebhookEndpointDisabledEvent](body, fields["endpoint_id"])
	return event, nil
}

func about[T any](body string, mark json.RawMessage) *T {
	var read T
	if mark == nil || json.Unmarshal([]byte(body), &read) != nil {
		return nil
	}
	return &read
}

// textOfBody is the text without a byte order mark.
func textOfBody(body []byte) string {
	return strings.TrimPrefix(string(body), "\uFEFF")
}

func refused(reason WebhookReason, message string) *WebhookError {
	return &WebhookError{Reason: reason, Message: message}
}
