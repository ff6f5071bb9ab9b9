package florin

// ErrorDetail is one wrong field of a request, when the gateway names several.
type ErrorDetail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Error is a call that did not succeed. Message and Slug are the gateway's own (contract.md#answers). When no usable
// answer came, Status and Code are 0 and Slug is "network_error" or "timeout"; an answer that is not the gateway's (a
// proxy's page, a redirect) keeps its status and has the slug "unexpected_response".
type Error struct {
	Message string
	// Status is the HTTP status, or 0 when there was no answer.
	Status int
	// Code is the gateway's stable number for this error.
	Code int
	// Slug is the gateway's stable name for this error.
	Slug string
	// Details are the wrong fields, when there are several.
	Details []ErrorDetail
	// RequestID is what you quote when you ask the operator about this call.
	RequestID string
	// RetryAfterSeconds is set when the gateway said how long to wait.
	RetryAfterSeconds *int
	// Tries is how many requests were sent.
	Tries int
	// IdempotencyKey is what a write was sent with: the same call with it takes effect once, however often it is sent.
	IdempotencyKey string

	cause error
}

// Error is the message.
func (e *Error) Error() string {
	return e.Message
}

// Unwrap is what caused it, such as context.Canceled.
func (e *Error) Unwrap() error {
	return e.cause
}

// WebhookError is a webhook that could not be verified: answer 400. Message says what to correct if it was genuine, and
// holds nothing of a secret.
type WebhookError struct {
	Reason  WebhookReason
	Message string
}

// Error is the message.
func (e *WebhookError) Error() string {
	return e.Message
}

// WebhookReason is why a webhook was refused.
type WebhookReason string

// The values of WebhookReason.
const (
	NoSecret        WebhookReason = "no_secret"
	BadSecret       WebhookReason = "bad_secret"
	BodyMissing     WebhookReason = "body_missing"
	BodyParsed      WebhookReason = "body_parsed"
	BodyDecoded     WebhookReason = "body_decoded"
	MissingHeader   WebhookReason = "missing_header"
	WrongSignature  WebhookReason = "wrong_signature"
	TooOld          WebhookReason = "too_old"
	TooNew          WebhookReason = "too_new"
	NotAnEvent      WebhookReason = "not_an_event"
	EventIDMismatch WebhookReason = "event_id_mismatch"
)

// DestinationError is an address of a payment that is not the one that follows from what was agreed on. Message says what
// differs.
type DestinationError struct {
	Reason  DestinationReason
	Message string
}

// Error is the message.
func (e *DestinationError) Error() string {
	return e.Message
}

// DestinationReason is why an address was refused.
type DestinationReason string

// The values of DestinationReason; OtherAddress: it follows from nothing that was agreed on.
const (
	BadTerms         DestinationReason = "bad_terms"
	OtherSettlement  DestinationReason = "other_settlement"
	OtherMerchant    DestinationReason = "other_merchant"
	OtherHost        DestinationReason = "other_host"
	OtherBasisPoints DestinationReason = "other_basis_points"
	OtherTreasury    DestinationReason = "other_treasury"
	OtherAddress     DestinationReason = "other_address"
)
