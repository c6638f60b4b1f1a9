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
CREATE INDEX "desk_drafts_due" ON "desk_drafts" USING btree ("publishAt");--> statement-breakpoint
ALTER TABLE "desk_images" ADD CONSTRAINT "desk_images_draft_desk_drafts_id_fk" FOREIGN KEY ("draft") REFERENCES "public"."desk_drafts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "desk_images_draft" ON "desk_images" USING btree ("draft");