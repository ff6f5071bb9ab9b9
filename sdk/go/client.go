// Package florin is a typed client of the Florin payment gateway, and the check of its webhooks. It needs nothing but the
// standard library.
package florin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// Options say how to reach a gateway.
type Options struct {
	// SecretKey is the integration's key of one mode, sk_test_... or sk_live_...: keep it on the server.
	SecretKey string
	// BaseURL is where the gateway listens, such as https://pay.example.com.
	BaseURL string
	// Timeout is how long one try may take; 30 seconds where it is 0.
	Timeout time.Duration
	// Deadline is how long a call may take with all its tries and the waits between them; 120 seconds where it is 0.
	Deadline time.Duration
	// MaxRetries is how often a call is tried again after a fault that can pass; 2 where it is nil.
	MaxRetries *int
	// Transport replaces the one of net/http.
	Transport http.RoundTripper
	// Sleep replaces the wait between two tries, so that tests need not wait.
	Sleep func(ctx context.Context, wait time.Duration) error
}

// Client is a client of one integration and mode, as NewClient makes it. Make one and share it.
type Client struct {
	*Calls
}

var (
	secretKeyPattern = regexp.MustCompile(`^sk_(test|live)_\w+$`)
	baseURLPattern   = regexp.MustCompile(`^https?://[^/?#\s]+[^?#\s]*$`)
)

// NewClient makes a client. It refuses a key or an address that cannot be right.
func NewClient(options Options) (*Client, error) {
	// A key that is read from a file often has a line break at its end.
	key := strings.TrimSpace(options.SecretKey)
	if !secretKeyPattern.MatchString(key) {
		return nil, errors.New("SecretKey must be a key that starts with sk_test_ or sk_live_")
	}
	if !baseURLPattern.MatchString(options.BaseURL) {
		return nil, errors.New("BaseURL must be an http or https address, such as https://pay.example.com")
	}
	made := &sender{
		baseURL:    strings.TrimRight(options.BaseURL, "/"),
		secretKey:  key,
		timeout:    orElse(options.Timeout, 30*time.Second),
		deadline:   orElse(options.Deadline, 120*time.Second),
		maxRetries: 2,
		sleep:      options.Sleep,
		http: &http.Client{
			Transport: options.Transport,
			// A followed redirect could turn a write into a GET or take the body elsewhere.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	if options.MaxRetries != nil {
		made.maxRetries = *options.MaxRetries
	}
	if made.sleep == nil {
		made.sleep = pause
	}
	return &Client{Calls: newCalls(made)}, nil
}

func orElse(given, standard time.Duration) time.Duration {
	if given == 0 {
		return standard
	}
	return given
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Readiness says whether the gateway can take payments, and what it waits for if it cannot.
type Readiness struct {
	Status string   `json:"status"`
	For    []string `json:"for,omitempty"`
}

// Health returns no error while the gateway's process runs. No key is sent, and it is tried once.
func (c *Client) Health(ctx context.Context) error {
	_, err := c.ask(ctx, "/health", http.StatusOK)
	return err
}

// Ready says whether the gateway is ready. One that is not ready is no error.
func (c *Client) Ready(ctx context.Context) (*Readiness, error) {
	return c.ask(ctx, "/ready", http.StatusOK, http.StatusServiceUnavailable)
}

func (c *Client) ask(ctx context.Context, path string, statuses ...int) (*Readiness, error) {
	found, err := c.sender.exchange(ctx, prepared{method: http.MethodGet, url: c.sender.baseURL + path}, c.sender.timeout)
	if err != nil {
		return nil, err
	}
	for _, status := range statuses {
		var readiness Readiness
		if found.status == status && json.Unmarshal(found.body, &readiness) == nil {
			return &readiness, nil
		}
	}
	message := fmt.Sprintf("%s answered %d, but not as a Florin gateway does: check BaseURL", path, found.status)
	return nil, &Error{Message: message, Status: found.status, Slug: "unexpected_response", Tries: 1}
}
