-- People search by the ending of a reference that a list shows. Backwards, an ending is a beginning.
CREATE INDEX payments_reference_ending ON payments ((lower(reverse(right(reference, 12))) COLLATE "C"));
