-- A delivery changes once, and its next version is written to whichever page has room, since its status is in indexes: room that
-- is left in each page is not used.
ALTER TABLE deliveries SET (fillfactor = 100);
