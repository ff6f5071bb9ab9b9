package florin

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
)

// CreateResult is a payment, and whether an earlier call had made it already.
type CreateResult struct {
	CreatedPayment
	Replayed bool `json:"replayed"`
}

// createPayment creates a payment, or finds the one that an earlier try made.
func createPayment(ctx context.Context, s *sender, input PaymentInput, options []WriteOption) (*CreateResult, error) {
	data, replayed, err := s.send(ctx, request{name: "PUT /payment/create", body: input, options: options})
	if err != nil {
		if found := findLost(ctx, s, input, err); found != nil {
			return &CreateResult{CreatedPayment: *found, Replayed: true}, nil
		}
		return nil, err
	}
	result := CreateResult{Replayed: replayed}
	if err := json.Unmarshal(data, &result.CreatedPayment); err != nil {
		return nil, err
	}
	return &result, nil
}

// findLost finds the payment that an earlier try of the same call made: its answer was lost, and a later try is refused
// because the reference exists. This happens only where a proxy drops the idempotency keys too. Nil for a payment that
// differs in anything from the input, or cannot be read.
func findLost(ctx context.Context, s *sender, input PaymentInput, err error) *CreatedPayment {
	var failed *Error
	isTaken := errors.As(err, &failed) && failed.Status == http.StatusConflict && failed.Tries > 1
	if !isTaken || input.PaymentReference == "" {
		return nil
	}
	name := "GET /payments/{payment_reference}"
	payment, err := call[Payment](ctx, s, request{name: name, path: []string{input.PaymentReference}})
	// A key that may create payments also gets the address.
	if err != nil || payment.PaymentURL == nil || !isMadeOf(payment, input) {
		return nil
	}
	amount, _ := askedOf(input)
	return &CreatedPayment{
		PaymentData: CreatedPaymentData{
			ID:               payment.ID,
			PaymentReference: payment.PaymentReference,
			Amount:           amount,
			Currency:         payment.Currency,
			PaymentStatus:    payment.PaymentStatus,
			PaymentType:      payment.PaymentType,
			CreatedAt:        payment.CreatedAt,
		},
		PaymentURL: *payment.PaymentURL,
	}
}

// askedOf is what is asked: an amount, or a price.
func askedOf(input PaymentInput) (json.Number, string) {
	if input.Price != nil {
		return json.Number(input.Price.Amount), input.Price.Currency
	}
	return input.Amount, string(input.Currency)
}

func isMadeOf(payment *Payment, input PaymentInput) bool {
	amount, currency := askedOf(input)
	if !isSameNumber(json.Number(payment.Amount), amount) || payment.Currency != currency {
		return false
	}
	if input.Price != nil && input.Currency != "" && (payment.Quote == nil || payment.Quote.Currency != input.Currency) {
		return false
	}
	if input.FeePayer != "" && input.FeePayer != payment.FeePayer {
		return false
	}
	texts := [][2]string{
		{input.PaymentType, payment.PaymentType},
		{input.CustomerEmail, orEmpty(payment.CustomerEmail)},
		{input.CustomerReference, orEmpty(payment.CustomerReference)},
		{input.SuccessURL, orEmpty(payment.SuccessURL)},
		{input.FailureURL, orEmpty(payment.FailureURL)},
		{input.MetaData, orEmpty(payment.MetaData)},
		{input.PaymentNote, orEmpty(payment.PaymentNote)},
	}
	for _, pair := range texts {
		if pair[0] != pair[1] {
			return false
		}
	}
	return hasSameLines(payment.ItemList, input.ItemList)
}

func hasSameLines(given, asked *ItemList) bool {
	if given == nil || asked == nil {
		return given == nil && asked == nil
	}
	if len(given.Items) != len(asked.Items) {
		return false
	}
	for index, item := range given.Items {
		other := asked.Items[index]
		isSame := item.Name == other.Name && isSameNumber(item.Price, other.Price) &&
			isSameNumber(item.Quantity, other.Quantity)
		if !isSame {
			return false
		}
	}
	return true
}

func isSameNumber(one, other json.Number) bool {
	left, isLeft := new(big.Rat).SetString(one.String())
	right, isRight := new(big.Rat).SetString(other.String())
	return isLeft && isRight && left.Cmp(right) == 0
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
