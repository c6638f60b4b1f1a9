ALTER TABLE "event_submissions" ADD COLUMN "typed" jsonb;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "typed" jsonb;