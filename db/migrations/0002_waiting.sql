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
ALTER TABLE "contact_messages" ADD COLUMN "network" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "event_submissions" ADD COLUMN "network" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "network" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "desk_answers" ADD CONSTRAINT "desk_answers_message_contact_messages_id_fk" FOREIGN KEY ("message") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_undo_images" ADD CONSTRAINT "desk_undo_images_undo_desk_undos_id_fk" FOREIGN KEY ("undo") REFERENCES "public"."desk_undos"("id") ON DELETE cascade ON UPDATE no action;