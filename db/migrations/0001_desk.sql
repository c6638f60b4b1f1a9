CREATE TABLE "post_images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"post" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"isShown" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"submissions" jsonb NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"renderedAt" timestamp with time zone,
	CONSTRAINT "desk_mails_key_unique" UNIQUE("key")
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
CREATE TABLE "desk_file_notes" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"isDown" boolean DEFAULT false NOT NULL,
	"isPinned" boolean DEFAULT false NOT NULL,
	"corrections" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "desk_file_notes_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE TABLE "redirects" (
	"oldPath" text PRIMARY KEY NOT NULL,
	"newPath" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "blog_posts" ADD COLUMN "author" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "blog_posts" ADD COLUMN "updated" text;--> statement-breakpoint
ALTER TABLE "blog_posts" ADD COLUMN "corrections" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "blog_posts" ADD COLUMN "image" jsonb;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "network" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "event_submissions" ADD COLUMN "origin" text DEFAULT 'reader' NOT NULL;--> statement-breakpoint
ALTER TABLE "event_submissions" ADD COLUMN "network" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_images" ADD COLUMN "caption" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_images" ADD COLUMN "credit" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "origin" text DEFAULT 'reader' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "authors" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "excerpt" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "html" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "updatedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "corrections" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "isPinned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "network" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "post_images" ADD CONSTRAINT "post_images_post_blog_posts_id_fk" FOREIGN KEY ("post") REFERENCES "public"."blog_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_answers" ADD CONSTRAINT "desk_answers_message_contact_messages_id_fk" FOREIGN KEY ("message") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_undo_images" ADD CONSTRAINT "desk_undo_images_undo_desk_undos_id_fk" FOREIGN KEY ("undo") REFERENCES "public"."desk_undos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_images" ADD CONSTRAINT "desk_images_draft_desk_drafts_id_fk" FOREIGN KEY ("draft") REFERENCES "public"."desk_drafts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_images_post" ON "post_images" USING btree ("post");--> statement-breakpoint
CREATE INDEX "desk_log_newest" ON "desk_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "desk_drafts_due" ON "desk_drafts" USING btree ("publishAt");--> statement-breakpoint
CREATE INDEX "desk_images_draft" ON "desk_images" USING btree ("draft");