package florin

import "encoding/json"

// Page is one page of a list, newest first. NextCursor is nil on the last.
type Page[T any] struct {
	Items      []T     `json:"items"`
	NextCursor *string `json:"next_cursor"`
}

// Iterator walks every item of a paged list:
//
//	payments := client.Payments.ListAll(ctx, florin.PaymentFilter{})
//	for payments.Next() {
//		fmt.Println(payments.Item().Amount)
//	}
//	if err := payments.Err(); err != nil { ... }
type Iterator[T any] struct {
	fetch  func(cursor string) (*Page[T], error)
	cursor string
	items  []T
	item   T
	isLast bool
	err    error
}

func newIterator[T any](cursor string, fetch func(cursor string) (*Page[T], error)) *Iterator[T] {
	return &Iterator[T]{fetch: fetch, cursor: cursor}
}

// Next goes to the next item, and fetches the next page where that is needed. It is false at the end and after an error.
func (i *Iterator[T]) Next() bool {
	for len(i.items) == 0 {
		if i.isLast || i.err != nil {
			return false
		}
		page, err := i.fetch(i.cursor)
		if err != nil {
			i.err = err
			return false
		}
		i.items, i.isLast = page.Items, page.NextCursor == nil
		if page.NextCursor != nil {
			i.cursor = *page.NextCursor
		}
	}
	i.item, i.items = i.items[0], i.items[1:]
	return true
}

// Item is the item that Next went to.
func (i *Iterator[T]) Item() T {
	return i.item
}

// Err is what ended the walk early.
func (i *Iterator[T]) Err() error {
	return i.err
}

// OneOrMore is sent as the one value where there is one, else as a list.
type OneOrMore[T any] []T

// MarshalJSON writes one value without a list.
func (o OneOrMore[T]) MarshalJSON() ([]byte, error) {
	if len(o) == 1 {
		return json.Marshal(o[0])
	}
	return json.Marshal([]T(o))
}

// UnmarshalJSON reads one value or a list.
func (o *OneOrMore[T]) UnmarshalJSON(text []byte) error {
	var one T
	if err := json.Unmarshal(text, &one); err == nil {
		*o = OneOrMore[T]{one}
		return nil
	}
	return json.Unmarshal(text, (*[]T)(o))
}

// Ptr is a pointer to a value, for fields where 0 means something else than leaving them out.
func Ptr[T any](value T) *T {
	return &value
}
