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
ALTER TABLE "story_images" ADD COLUMN "caption" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_images" ADD COLUMN "credit" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "origin" text DEFAULT 'reader' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "authors" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "excerpt" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "html" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "updatedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "corrections" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "isPinned" boolean DEFAULT false NOT NULL;