CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"source" text NOT NULL,
	"externalId" text,
	"text" text NOT NULL,
	"level" text NOT NULL,
	"link" text,
	"startsAt" timestamp with time zone NOT NULL,
	"endsAt" timestamp with time zone NOT NULL,
	"endedAt" timestamp with time zone,
	"updatedAt" timestamp with time zone NOT NULL,
	CONSTRAINT "alerts_of_source" UNIQUE("source","externalId")
);
--> statement-breakpoint
CREATE TABLE "community_listings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"group" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"link" text NOT NULL,
	"organization" text NOT NULL,
	"commitment" text NOT NULL,
	"until" date,
	"checked" date,
	"createdAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "meetings" (
	"source" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"howToSpeak" text DEFAULT '' NOT NULL,
	"signUp" text DEFAULT '' NOT NULL,
	"text" text NOT NULL,
	"location" text NOT NULL,
	"startsAt" timestamp with time zone NOT NULL,
	"endsAt" timestamp with time zone NOT NULL,
	"allDay" boolean NOT NULL,
	"agenda" text NOT NULL,
	"minutes" text NOT NULL,
	"video" text NOT NULL,
	"link" text NOT NULL,
	"canceled" boolean NOT NULL,
	"movedFrom" timestamp with time zone,
	"movedFromRoom" text,
	"seenAt" timestamp with time zone NOT NULL,
	"changedAt" timestamp with time zone,
	CONSTRAINT "meetings_source_id_pk" PRIMARY KEY("source","id")
);
--> statement-breakpoint
CREATE TABLE "official_alerts" (
	"key" text PRIMARY KEY NOT NULL,
	"messageId" text NOT NULL,
	"messageIds" text[] NOT NULL,
	"severity" text NOT NULL,
	"event" text NOT NULL,
	"headline" text NOT NULL,
	"description" text NOT NULL,
	"instruction" text NOT NULL,
	"area" text NOT NULL,
	"sender" text NOT NULL,
	"sentAt" timestamp with time zone NOT NULL,
	"endsAt" timestamp with time zone NOT NULL,
	"decision" text,
	"endedBy" text
);
--> statement-breakpoint
CREATE TABLE "weather_documents" (
	"id" text PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"etag" text,
	"lastModified" text,
	"bodyHash" text,
	"content" jsonb,
	"checkedAt" timestamp with time zone NOT NULL,
	"lastSuccessAt" timestamp with time zone,
	"nextAttemptAt" timestamp with time zone NOT NULL,
	"failures" integer NOT NULL,
	"cause" text,
	"detail" text
);
--> statement-breakpoint
ALTER TABLE "desk_devices" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "event_submissions" ADD COLUMN "typed" jsonb;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "live" boolean;--> statement-breakpoint
ALTER TABLE "story_submissions" ADD COLUMN "typed" jsonb;--> statement-breakpoint
CREATE INDEX "alerts_newest" ON "alerts" USING btree ("startsAt");--> statement-breakpoint
CREATE INDEX "meetings_id" ON "meetings" USING btree ("id");--> statement-breakpoint
CREATE INDEX "meetings_ends_at" ON "meetings" USING btree ("endsAt");