CREATE TABLE "daily_briefs" (
	"day" text PRIMARY KEY NOT NULL,
	"content" jsonb NOT NULL,
	"hasNews" boolean NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"updatedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "newsletter_issues" ADD COLUMN "sections" jsonb;