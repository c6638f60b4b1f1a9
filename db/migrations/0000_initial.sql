-- Everything before the first table was written by hand, because the generator knows only tables.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
-- English words by their stem, with or without accents.
CREATE TEXT SEARCH CONFIGURATION harborline (COPY = english);
--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION harborline ALTER MAPPING FOR word, hword, hword_part WITH unaccent, english_stem;
--> statement-breakpoint
-- Words as they are written, with or without accents.
CREATE TEXT SEARCH CONFIGURATION harborline_words (COPY = simple);
--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION harborline_words ALTER MAPPING FOR word, hword, hword_part WITH unaccent, simple;
--> statement-breakpoint
-- Replaces punctuation and symbols with spaces, as in queries. Otherwise the parser would keep addresses and the "-19" of
-- "covid-19" whole, and in the C locale it would treat quotation marks and emoji as letters. The characters are given by
-- number, so that the result does not depend on the locale.
CREATE FUNCTION search_plain(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace($1, '[\u0021-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u00D7\u00F7\u2000-\u2BFF\u3000-\u303F\uFE00-\uFE0F\U0001F000-\U0001FAFF]+', ' ', 'g');
--> statement-breakpoint
-- Names that lose their meaning when they are split at their symbols (I-95, AT&T, U.S., C++), each as one word without
-- hyphens. app/features/search/find/parse.server.ts finds the same names in queries.
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
-- Whether a text may contain a name that search_codes finds. Few texts do, and this test takes a tenth of the time.
CREATE FUNCTION search_may_have_codes(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN $1 ~ '\w(?:[-‐‑&.]\w|[+#])';
--> statement-breakpoint
-- A: the title; B: the text beside the title; C: the body; D: the words of the title as they are written, for prefixes.
CREATE FUNCTION search_vector(title text, lead text, body text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN setweight(to_tsvector('harborline'::regconfig, search_plain(title)) || CASE WHEN search_may_have_codes(title) THEN search_codes(title) ELSE '' END, 'A')
  || setweight(to_tsvector('harborline'::regconfig, search_plain(lead)) || CASE WHEN search_may_have_codes(lead) THEN search_codes(lead) ELSE '' END, 'B')
  || setweight(to_tsvector('harborline'::regconfig, search_plain(body)) || CASE WHEN search_may_have_codes(body) THEN search_codes(body) ELSE '' END, 'C')
  || to_tsvector('harborline_words'::regconfig, search_plain(title));
--> statement-breakpoint
CREATE TABLE "secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"issuer" text NOT NULL,
	"externalId" text,
	"text" text NOT NULL,
	"level" text NOT NULL,
	"link" text,
	"startsAt" timestamp with time zone NOT NULL,
	"endsAt" timestamp with time zone NOT NULL,
	"endedAt" timestamp with time zone,
	"updatedAt" timestamp with time zone NOT NULL,
	CONSTRAINT "alerts_of_issuer" UNIQUE("issuer","externalId")
);
--> statement-breakpoint
CREATE TABLE "blog_images" (
	"url" text PRIMARY KEY NOT NULL,
	"type" text,
	"bytes" "bytea",
	"fetchedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blog_posts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "blog_posts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"domain" text NOT NULL,
	"slug" text NOT NULL,
	"metaTitle" text NOT NULL,
	"metaDescription" text NOT NULL,
	"date" text NOT NULL,
	"publishAt" timestamp with time zone NOT NULL,
	"pinterestImageLink" text,
	"blog" text NOT NULL,
	"shortTailKeywords" text,
	"longTailKeywords" text,
	"youtubeShortsUrl" text,
	"author" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"updated" text,
	"corrections" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"image" jsonb,
	"state" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"draft" uuid,
	CONSTRAINT "blog_posts_slug_unique" UNIQUE("slug"),
	CONSTRAINT "blog_posts_draft_unique" UNIQUE("draft")
);
--> statement-breakpoint
CREATE TABLE "post_images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"post" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"isShown" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_briefs" (
	"day" text PRIMARY KEY NOT NULL,
	"content" jsonb NOT NULL,
	"hasNews" boolean NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"updatedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "community_listings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"group" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"link" text NOT NULL,
	"organization" text NOT NULL,
	"commitment" text NOT NULL,
	"until" date,
	"checked" date,
	"createdAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"category" text NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"message" text NOT NULL,
	"topic" jsonb,
	"state" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"decidedAt" timestamp with time zone,
	"visitorHash" text DEFAULT '' NOT NULL,
	CONSTRAINT "contact_messages_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "desk_mailings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"submissions" jsonb NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"renderedAt" timestamp with time zone,
	CONSTRAINT "desk_mailings_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "desk_versions" (
	"kind" text NOT NULL,
	"item" text NOT NULL,
	"number" integer NOT NULL,
	"fields" jsonb NOT NULL,
	"action" text NOT NULL,
	"editor" text NOT NULL,
	"editorName" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "desk_versions_kind_item_number_pk" PRIMARY KEY("kind","item","number")
);
--> statement-breakpoint
CREATE TABLE "desk_devices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"secretHash" text NOT NULL,
	"editor" text NOT NULL,
	"network" text,
	"name" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"seenAt" timestamp with time zone NOT NULL,
	"expiresAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"editor" text NOT NULL,
	"target" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"expiresAt" timestamp with time zone NOT NULL,
	"usedAt" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "desk_log" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"editorName" text NOT NULL,
	"editor" text NOT NULL,
	"action" text NOT NULL,
	"kind" text NOT NULL,
	"items" jsonb NOT NULL,
	"title" text NOT NULL,
	"note" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_answers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"message" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"editorName" text NOT NULL,
	"text" text NOT NULL,
	"isDraft" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_undo_images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"undo" uuid NOT NULL,
	"story" uuid NOT NULL,
	"position" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"alt" text NOT NULL,
	"caption" text NOT NULL,
	"credit" text NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_undos" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"editor" text NOT NULL,
	"summary" text NOT NULL,
	"note" text NOT NULL,
	"page" text NOT NULL,
	"before" jsonb NOT NULL,
	"mailKeys" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_drafts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"item" text,
	"fields" jsonb NOT NULL,
	"revision" integer NOT NULL,
	"editor" text NOT NULL,
	"editorName" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"updatedAt" timestamp with time zone NOT NULL,
	"publishAt" timestamp with time zone,
	"openBy" text NOT NULL,
	"openName" text NOT NULL,
	"openAt" timestamp with time zone NOT NULL,
	CONSTRAINT "desk_drafts_item_unique" UNIQUE("item")
);
--> statement-breakpoint
CREATE TABLE "desk_images" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"draft" uuid,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"createdAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "calendar_events" (
	"source" text NOT NULL,
	"id" text NOT NULL,
	"series" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"location" text NOT NULL,
	"url" text NOT NULL,
	"categories" text[] DEFAULT '{}' NOT NULL,
	"startsAt" timestamp with time zone NOT NULL,
	"endsAt" timestamp with time zone NOT NULL,
	"allDay" boolean NOT NULL,
	"cancelled" boolean NOT NULL,
	"agenda" text DEFAULT '' NOT NULL,
	"minutes" text DEFAULT '' NOT NULL,
	"video" text DEFAULT '' NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"howToSpeak" text DEFAULT '' NOT NULL,
	"signUp" text DEFAULT '' NOT NULL,
	"movedFrom" timestamp with time zone,
	"movedFromRoom" text,
	"firstSeenAt" timestamp with time zone NOT NULL,
	"seenAt" timestamp with time zone NOT NULL,
	"changedAt" timestamp with time zone,
	CONSTRAINT "calendar_events_source_id_pk" PRIMARY KEY("source","id")
);
--> statement-breakpoint
CREATE TABLE "event_submissions" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"title" text NOT NULL,
	"location" text NOT NULL,
	"description" text NOT NULL,
	"category" text NOT NULL,
	"free" boolean NOT NULL,
	"url" text NOT NULL,
	"day" date NOT NULL,
	"startsAt" timestamp with time zone NOT NULL,
	"endsAt" timestamp with time zone NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"writtenBy" text DEFAULT 'reader' NOT NULL,
	"state" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"decidedAt" timestamp with time zone,
	"visitorHash" text DEFAULT '' NOT NULL,
	"draft" uuid,
	"typed" jsonb,
	CONSTRAINT "event_submissions_key_unique" UNIQUE("key"),
	CONSTRAINT "event_submissions_draft_unique" UNIQUE("draft")
);
--> statement-breakpoint
CREATE TABLE "feed_items" (
	"sourceId" text NOT NULL,
	"key" text NOT NULL,
	"headlineId" bigint NOT NULL,
	"link" text NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"shownAt" timestamp with time zone NOT NULL,
	CONSTRAINT "feed_items_sourceId_key_pk" PRIMARY KEY("sourceId","key")
);
--> statement-breakpoint
CREATE TABLE "headlines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "headlines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"identity" text NOT NULL,
	"sourceId" text NOT NULL,
	"title" text NOT NULL,
	"link" text NOT NULL,
	"summary" text NOT NULL,
	"publishedAt" timestamp with time zone,
	"firstSeenAt" timestamp with time zone NOT NULL,
	"shownAt" timestamp with time zone NOT NULL,
	"searchVector" "tsvector" GENERATED ALWAYS AS (search_vector("title", "summary", '')) STORED NOT NULL,
	CONSTRAINT "headlines_identity_unique" UNIQUE("identity")
);
--> statement-breakpoint
CREATE TABLE "desk_file_notes" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"isDown" boolean DEFAULT false NOT NULL,
	"isPinned" boolean DEFAULT false NOT NULL,
	"corrections" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "desk_file_notes_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE TABLE "hour_counts" (
	"what" text NOT NULL,
	"whomHash" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "hour_counts_what_whomHash_hour_pk" PRIMARY KEY("what","whomHash","hour")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text,
	"template" text,
	"about" uuid,
	"headers" jsonb NOT NULL,
	"state" text NOT NULL,
	"attempts" integer NOT NULL,
	"dueAt" timestamp with time zone NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"doneAt" timestamp with time zone,
	"claimedUntil" timestamp with time zone,
	"error" text,
	CONSTRAINT "mails_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "newsletter_issues" (
	"id" text PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"sections" jsonb,
	"confirmedBy" timestamp with time zone NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"writtenAt" timestamp with time zone,
	"readers" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "newsletter_subscribers" (
	"email" text PRIMARY KEY NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"state" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"confirmedAt" timestamp with time zone,
	"tokenHash" text,
	"tokenExpiresAt" timestamp with time zone,
	CONSTRAINT "newsletter_subscribers_id_unique" UNIQUE("id"),
	CONSTRAINT "newsletter_subscribers_tokenHash_unique" UNIQUE("tokenHash")
);
--> statement-breakpoint
CREATE TABLE "official_alerts" (
	"key" text PRIMARY KEY NOT NULL,
	"messageId" text NOT NULL,
	"severity" text NOT NULL,
	"event" text NOT NULL,
	"headline" text NOT NULL,
	"description" text NOT NULL,
	"instruction" text NOT NULL,
	"area" text NOT NULL,
	"sender" text NOT NULL,
	"sentAt" timestamp with time zone NOT NULL,
	"endsAt" timestamp with time zone NOT NULL,
	"decision" text,
	"isListed" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "redirects" (
	"oldPath" text PRIMARY KEY NOT NULL,
	"newPath" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL
);
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
	"searchVector" "tsvector" GENERATED ALWAYS AS (search_vector("title" || ' ' || "aliases", "detail" || ' ' || "summary", "body" || ' ' || "keywords")) STORED NOT NULL
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
CREATE TABLE "source_documents" (
	"id" text PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"movedTo" text,
	"etag" text,
	"lastModified" text,
	"bodyHash" text,
	"content" jsonb,
	"items" integer NOT NULL,
	"checkedAt" timestamp with time zone NOT NULL,
	"lastSuccessAt" timestamp with time zone,
	"readAt" timestamp with time zone,
	"nextAttemptAt" timestamp with time zone NOT NULL,
	"failures" integer NOT NULL,
	"cause" text,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "story_images" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"story" uuid NOT NULL,
	"position" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"alt" text NOT NULL,
	"caption" text DEFAULT '' NOT NULL,
	"credit" text DEFAULT '' NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "story_submissions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"writtenBy" text DEFAULT 'reader' NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"state" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"decidedAt" timestamp with time zone,
	"slug" text,
	"category" text,
	"day" date,
	"publishedAt" timestamp with time zone,
	"authors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"excerpt" text DEFAULT '' NOT NULL,
	"html" text DEFAULT '' NOT NULL,
	"updatedAt" timestamp with time zone,
	"corrections" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"isPinned" boolean DEFAULT false NOT NULL,
	"live" boolean,
	"visitorHash" text DEFAULT '' NOT NULL,
	"typed" jsonb,
	CONSTRAINT "story_submissions_key_unique" UNIQUE("key"),
	CONSTRAINT "story_submissions_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "remembered_stories" (
	"slug" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"noticedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "story_previews" (
	"id" text PRIMARY KEY NOT NULL,
	"generation" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tallies" (
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"key" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "tallies_kind_day_key_pk" PRIMARY KEY("kind","day","key")
);
--> statement-breakpoint
ALTER TABLE "post_images" ADD CONSTRAINT "post_images_post_blog_posts_id_fk" FOREIGN KEY ("post") REFERENCES "public"."blog_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_answers" ADD CONSTRAINT "desk_answers_message_contact_messages_id_fk" FOREIGN KEY ("message") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_undo_images" ADD CONSTRAINT "desk_undo_images_undo_desk_undos_id_fk" FOREIGN KEY ("undo") REFERENCES "public"."desk_undos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_images" ADD CONSTRAINT "desk_images_draft_desk_drafts_id_fk" FOREIGN KEY ("draft") REFERENCES "public"."desk_drafts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_items" ADD CONSTRAINT "feed_items_headlineId_headlines_id_fk" FOREIGN KEY ("headlineId") REFERENCES "public"."headlines"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "story_images" ADD CONSTRAINT "story_images_story_story_submissions_id_fk" FOREIGN KEY ("story") REFERENCES "public"."story_submissions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_newest" ON "alerts" USING btree ("startsAt");--> statement-breakpoint
CREATE INDEX "blog_posts_newest" ON "blog_posts" USING btree ("domain","state","publishAt" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "post_images_post" ON "post_images" USING btree ("post");--> statement-breakpoint
CREATE INDEX "desk_log_newest" ON "desk_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "desk_drafts_due" ON "desk_drafts" USING btree ("publishAt");--> statement-breakpoint
CREATE INDEX "desk_images_draft" ON "desk_images" USING btree ("draft");--> statement-breakpoint
CREATE INDEX "calendar_events_id" ON "calendar_events" USING btree ("id");--> statement-breakpoint
CREATE INDEX "calendar_events_ends_at" ON "calendar_events" USING btree ("endsAt");--> statement-breakpoint
CREATE INDEX "feed_items_shown" ON "feed_items" USING btree ("sourceId","shownAt" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "feed_items_headline" ON "feed_items" USING btree ("headlineId");--> statement-breakpoint
CREATE INDEX "headlines_search_vector" ON "headlines" USING gin ("searchVector") WITH (fastupdate=true,gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "headlines_shown" ON "headlines" USING btree ("shownAt" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "headlines_of_source" ON "headlines" USING btree ("sourceId","shownAt" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("state","dueAt");--> statement-breakpoint
CREATE INDEX "mails_template" ON "mails" USING btree ("template","dueAt");--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree ("recipient");--> statement-breakpoint
CREATE INDEX "newsletter_subscribers_state" ON "newsletter_subscribers" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "search_documents_search_vector" ON "search_documents" USING gin ("searchVector") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "search_words_alike" ON "search_words" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "story_images_story" ON "story_images" USING btree ("story","position");--> statement-breakpoint
CREATE INDEX "story_submissions_newest" ON "story_submissions" USING btree ("state","publishedAt","slug");