ALTER TABLE "blog_posts" ADD COLUMN "draft" uuid;--> statement-breakpoint
ALTER TABLE "event_submissions" ADD COLUMN "draft" uuid;--> statement-breakpoint
ALTER TABLE "blog_posts" ADD CONSTRAINT "blog_posts_draft_unique" UNIQUE("draft");--> statement-breakpoint
ALTER TABLE "event_submissions" ADD CONSTRAINT "event_submissions_draft_unique" UNIQUE("draft");--> statement-breakpoint
UPDATE "desk_drafts" SET "fields" = '{"location":"","free":false,"url":"","day":"","starts":"","ends":""}'::jsonb || "fields";
