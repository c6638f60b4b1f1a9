CREATE TABLE "story_pictures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"story" uuid NOT NULL,
	"position" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"alt" text NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "decidedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "slug" text;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "category" text;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "day" date;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "doneAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "story_pictures" ADD CONSTRAINT "story_pictures_story_story_submissions_id_fk" FOREIGN KEY ("story") REFERENCES "public"."story_submissions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "story_pictures_story" ON "story_pictures" USING btree ("story","position");--> statement-breakpoint
ALTER TABLE "story_submissions" ADD CONSTRAINT "story_submissions_slug_unique" UNIQUE("slug");