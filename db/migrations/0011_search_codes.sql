-- Written by hand: the generator knows tables only.
-- Names that lose their meaning when they are cut at their signs (I-95, AT&T, U.S., C++), each as one word, without hyphens.
-- `codesIn` in app/features/search/parse.server.ts reads queries by the same pattern.
CREATE FUNCTION search_codes(text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT coalesce(string_agg(DISTINCT '''' || translate(found[1], '-‐‑', '') || ''':1', ' '), '')::tsvector
  FROM regexp_matches(
    lower($1),
    '(?<![[:alnum:]])((?:[a-z]{1,2}|[0-9]{1,4}[a-z]?)(?:[-‐‑&.](?:[a-z]{1,2}|[0-9]{1,4}[a-z]?)){1,4}(?![[:alnum:]])|[a-z]{1,2}(?:\+{1,2}|#)(?![[:alnum:]+#]))',
    'g'
  ) AS found
  WHERE found[1] ~ '[a-z]' AND (found[1] ~ '[0-9]' OR found[1] !~ '[-‐‑]')
);
--> statement-breakpoint
-- A: the title; B: what stands beside it; C: the text; D: the title's words as they are written, for their beginnings.
CREATE OR REPLACE FUNCTION search_vector(title text, lead text, body text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN setweight(to_tsvector('harborline'::regconfig, search_plain(title)) || search_codes(title), 'A')
  || setweight(to_tsvector('harborline'::regconfig, search_plain(lead)) || search_codes(lead), 'B')
  || setweight(to_tsvector('harborline'::regconfig, search_plain(body)) || search_codes(body), 'C')
  || to_tsvector('harborline_words'::regconfig, search_plain(title));
--> statement-breakpoint
-- A generated column is not computed again when its function changes, so both are created again.
ALTER TABLE "headlines" DROP COLUMN "words";--> statement-breakpoint
ALTER TABLE "headlines" ADD COLUMN "words" "tsvector" GENERATED ALWAYS AS (search_vector("title", "summary", '') || search_week("shownAt")) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "headlines_words" ON "headlines" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
ALTER TABLE "search_documents" DROP COLUMN "words";--> statement-breakpoint
ALTER TABLE "search_documents" ADD COLUMN "words" "tsvector" GENERATED ALWAYS AS (search_vector("title" || ' ' || "aliases", "detail" || ' ' || "summary", "body" || ' ' || "keywords")) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "search_documents_words" ON "search_documents" USING gin ("words") WITH (fastupdate=false);
