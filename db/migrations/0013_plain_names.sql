-- Written by hand: the names of docs/glossary.md. A rename changes no row and takes no time.
ALTER TABLE "blog_pictures" RENAME TO "blog_images";--> statement-breakpoint
ALTER TABLE "blog_images" RENAME COLUMN "link" TO "url";--> statement-breakpoint
ALTER TABLE "story_pictures" RENAME TO "story_images";--> statement-breakpoint
ALTER TABLE "story_images" RENAME CONSTRAINT "story_pictures_story_story_submissions_id_fk" TO "story_images_story_story_submissions_id_fk";--> statement-breakpoint
ALTER INDEX "story_pictures_story" RENAME TO "story_images_story";--> statement-breakpoint
ALTER TABLE "digest_issues" RENAME TO "newsletter_issues";--> statement-breakpoint
ALTER TABLE "headline_sightings" RENAME TO "feed_items";--> statement-breakpoint
ALTER TABLE "feed_items" RENAME CONSTRAINT "headline_sightings_sourceId_key_pk" TO "feed_items_sourceId_key_pk";--> statement-breakpoint
ALTER TABLE "feed_items" RENAME CONSTRAINT "headline_sightings_headlineId_headlines_id_fk" TO "feed_items_headlineId_headlines_id_fk";--> statement-breakpoint
ALTER INDEX "headline_sightings_shown" RENAME TO "feed_items_shown";--> statement-breakpoint
ALTER INDEX "headline_sightings_headline" RENAME TO "feed_items_headline";--> statement-breakpoint
ALTER TABLE "feed_sources" RENAME COLUMN "goodAt" TO "lastSuccessAt";--> statement-breakpoint
ALTER TABLE "feed_sources" RENAME COLUMN "nextTryAt" TO "nextAttemptAt";--> statement-breakpoint
ALTER TABLE "calendar_sources" RENAME COLUMN "goodAt" TO "lastSuccessAt";--> statement-breakpoint
ALTER TABLE "calendar_sources" RENAME COLUMN "nextTryAt" TO "nextAttemptAt";--> statement-breakpoint
ALTER TABLE "headlines" RENAME COLUMN "words" TO "searchVector";--> statement-breakpoint
ALTER INDEX "headlines_words" RENAME TO "headlines_search_vector";--> statement-breakpoint
ALTER TABLE "search_documents" RENAME COLUMN "words" TO "searchVector";--> statement-breakpoint
ALTER INDEX "search_documents_words" RENAME TO "search_documents_search_vector";
