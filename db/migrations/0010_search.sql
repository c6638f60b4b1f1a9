-- From here to the first table this file is written by hand: the generator knows tables only.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
-- English words in their plain form, accents or not.
CREATE TEXT SEARCH CONFIGURATION harborline (COPY = english);
--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION harborline ALTER MAPPING FOR word, hword, hword_part WITH unaccent, english_stem;
--> statement-breakpoint
-- Words as they are written, accents or not.
CREATE TEXT SEARCH CONFIGURATION harborline_words (COPY = simple);
--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION harborline_words ALTER MAPPING FOR word, hword, hword_part WITH unaccent, simple;
--> statement-breakpoint
-- Words are cut at all signs, as they are in questions: the parser would keep addresses and "-19" of "covid-19" whole, and
-- in the C locale takes quotation marks and pictures for letters. By number, so that every locale cuts alike.
CREATE FUNCTION search_plain(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace($1, '[\u0021-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u00D7\u00F7\u2000-\u2BFF\u3000-\u303F\uFE00-\uFE0F\U0001F000-\U0001FAFF]+', ' ', 'g');
--> statement-breakpoint
-- A: the title; B: what stands beside it; C: the text; D: the title's words as they are written, for their beginnings.
CREATE FUNCTION search_vector(title text, lead text, body text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN setweight(to_tsvector('harborline'::regconfig, search_plain(title)), 'A')
  || setweight(to_tsvector('harborline'::regconfig, search_plain(lead)), 'B')
  || setweight(to_tsvector('harborline'::regconfig, search_plain(body)), 'C')
  || to_tsvector('harborline_words'::regconfig, search_plain(title));
--> statement-breakpoint
-- The number of a week since 1970, written so that no word can be mistaken for it.
CREATE FUNCTION search_week(timestamp with time zone) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(ARRAY['~' || floor(extract(epoch FROM $1 AT TIME ZONE 'UTC') / 604800)::integer::text]);
--> statement-breakpoint
CREATE TABLE "search_documents" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"link" text NOT NULL,
	"title" text NOT NULL,
	"aliases" text NOT NULL,
	"detail" text NOT NULL,
	"summary" text NOT NULL,
	"body" text NOT NULL,
	"keywords" text NOT NULL,
	"at" timestamp with time zone,
	"isSample" boolean NOT NULL,
	"version" text NOT NULL,
	"words" "tsvector" GENERATED ALWAYS AS (search_vector("title" || ' ' || "aliases", "detail" || ' ' || "summary", "body" || ' ' || "keywords")) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_progress" (
	"table" text PRIMARY KEY NOT NULL,
	"upTo" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text PRIMARY KEY NOT NULL,
	"uses" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "headlines" ADD COLUMN "words" "tsvector" GENERATED ALWAYS AS (search_vector("title", "summary", '') || search_week("shownAt")) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "search_documents_words" ON "search_documents" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "search_words_alike" ON "search_words" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "headlines_words" ON "headlines" USING gin ("words") WITH (fastupdate=false);