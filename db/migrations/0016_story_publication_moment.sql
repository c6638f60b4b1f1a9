DROP INDEX "story_submissions_newest";--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "publishedAt" timestamp with time zone;--> statement-breakpoint
UPDATE "story_submissions" SET "publishedAt" = "decidedAt" WHERE "slug" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "story_submissions_newest" ON "story_submissions" USING btree ("state","publishedAt","slug");