CREATE TABLE "published_stories" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"noticedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "story_previews" (
	"id" text PRIMARY KEY NOT NULL,
	"generation" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "story_submissions_newest" ON "story_submissions" USING btree ("state","day","slug");--> statement-breakpoint
INSERT INTO "published_stories" ("id", "title", "noticedAt")
SELECT "slug", "title", coalesce("decidedAt", "createdAt") FROM "story_submissions" WHERE "slug" IS NOT NULL;
