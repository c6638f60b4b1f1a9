-- Written by hand: the generator would build the index again.
-- New words wait in a list and are sorted into the index many at a time. See app/features/feeds/schema.server.ts.
ALTER INDEX "headlines_words" SET (fastupdate=true, gin_pending_list_limit=256);
--> statement-breakpoint
-- Whether a text may hold one of the names that search_codes looks for. Few do, and this test costs a tenth.
CREATE FUNCTION search_may_have_codes(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN $1 ~ '\w(?:[-‐‑&.]\w|[+#])';
--> statement-breakpoint
-- The result is the same as before, so stored words stay as they are.
CREATE OR REPLACE FUNCTION search_vector(title text, lead text, body text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN setweight(to_tsvector('harborline'::regconfig, search_plain(title)) || CASE WHEN search_may_have_codes(title) THEN search_codes(title) ELSE '' END, 'A')
  || setweight(to_tsvector('harborline'::regconfig, search_plain(lead)) || CASE WHEN search_may_have_codes(lead) THEN search_codes(lead) ELSE '' END, 'B')
  || setweight(to_tsvector('harborline'::regconfig, search_plain(body)) || CASE WHEN search_may_have_codes(body) THEN search_codes(body) ELSE '' END, 'C')
  || to_tsvector('harborline_words'::regconfig, search_plain(title));
