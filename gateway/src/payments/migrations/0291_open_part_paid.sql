-- Those of the part-paid payments that are still open: the overview counts them.
CREATE INDEX payments_part_paid_open ON payments (integration_id, mode)
  WHERE is_part_paid AND status IN ('linked', 'pending', 'in-appeal');
