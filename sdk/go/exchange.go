package florin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A request as it is sent; body is nil where there is none.
type prepared struct {
	method string
	url    string
	header http.Header
	body   []byte
}

// A complete answer.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// exchange sends one request and reads its whole answer. Redirects are not followed.
func (s *sender) exchange(ctx context.Context, sent prepared, timeout time.Duration) (*answer, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var body io.Reader
	if sent.body != nil {
		body = bytes.NewReader(sent.body)
	}
	made, err := http.NewRequestWithContext(limited, sent.method, sent.url, body)
	if err != nil {
		return nil, err
	}
	for name, values := range sent.header {
		made.Header[name] = values
	}
	response, err := s.http.Do(made)
	if err != nil {
		return nil, noAnswer(ctx, limited, err, sent.url, timeout)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, noAnswer(ctx, limited, err, sent.url, timeout)
	}
	return &answer{status: response.StatusCode, header: response.Header, body: text}, nil
}

// noAnswer is the error of a request whose effect is not known; the caller's own reason when its context ended.
func noAnswer(ctx, limited context.Context, cause error, address string, timeout time.Duration) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	origin := address
	if parsed, err := url.Parse(address); err == nil {
		origin = parsed.Scheme + "://" + parsed.Host
	}
	if errors.Is(limited.Err(), context.DeadlineExceeded) {
		message := fmt.Sprintf("No answer from %s within %d ms", origin, timeout.Milliseconds())
		return &Error{Message: message, Slug: "timeout", cause: cause}
	}
	message := fmt.Sprintf("Could not reach %s, or its answer broke off", origin)
	return &Error{Message: message, Slug: "network_error", cause: cause}
}

// readEnvelope takes `data` out of the gateway's envelope. It is an Error for every status but 2xx, and for an answer that
// is not the gateway's.
func readEnvelope(found *answer) (json.RawMessage, error) {
	var envelope map[string]json.RawMessage
	isOK := found.status >= 200 && found.status < 300
	isEnvelope := json.Unmarshal(found.body, &envelope) == nil && envelope["message"] != nil
	if isOK && isEnvelope {
		if data := envelope["data"]; data != nil {
			return data, nil
		}
		return json.RawMessage("null"), nil
	}
	text := string(found.body)
	// A connection that closes early can end a body without an error.
	isCut := text == "" || strings.HasPrefix(text, "{") && !strings.HasSuffix(strings.TrimSpace(text), "}")
	if isOK && isCut {
		return nil, &Error{Message: "The answer broke off", Slug: "network_error"}
	}
	if !isEnvelope {
		envelope = nil
	}
	return nil, refusal(found, envelope, isOK)
}

func refusal(found *answer, envelope map[string]json.RawMessage, isOK bool) *Error {
	refused := &Error{
		Status:            found.status,
		RequestID:         found.header.Get("x-request-id"),
		RetryAfterSeconds: retryAfter(found.header.Get("retry-after"), time.Now()),
	}
	if id, ok := textOf(envelope["request_id"]); ok {
		refused.RequestID = id
	}
	message, ok := textOf(envelope["message"])
	if !ok || isOK {
		refused.Message = fmt.Sprintf("The address answered %d but not as a Florin gateway does: check BaseURL", found.status)
		refused.Slug = "unexpected_response"
		return refused
	}
	refused.Message = message
	refused.Slug = "unknown"
	if slug, ok := textOf(envelope["error"]); ok {
		refused.Slug = slug
	}
	if json.Unmarshal(envelope["code"], &refused.Code) != nil {
		refused.Code = 0
	}
	if json.Unmarshal(envelope["details"], &refused.Details) != nil {
		refused.Details = nil
	}
	return refused
}

func textOf(value json.RawMessage) (string, bool) {
	var text *string
	if len(value) == 0 || json.Unmarshal(value, &text) != nil || text == nil {
		return "", false
	}
	return *text, true
}

// retryAfter reads Retry-After, either a number of seconds or an HTTP date (RFC 9110, 10.2.3).
func retryAfter(value string, now time.Time) *int {
	if value == "" {
		return nil
	}
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return Ptr(int(seconds))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return nil
	}
	return Ptr(int(math.Max(0, math.Ceil(at.Sub(now).Seconds()))))
}
