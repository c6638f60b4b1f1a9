CREATE TABLE "calendar_events" (
	"source" text NOT NULL,
	"id" text NOT NULL,
	"series" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"location" text NOT NULL,
	"url" text NOT NULL,
	"categories" text[] NOT NULL,
	"startsAt" timestamp with time zone NOT NULL,
	"endsAt" timestamp with time zone NOT NULL,
	"allDay" boolean NOT NULL,
	"cancelled" boolean NOT NULL,
	"seenAt" timestamp with time zone NOT NULL,
	CONSTRAINT "calendar_events_source_id_pk" PRIMARY KEY("source","id")
);
--> statement-breakpoint
CREATE TABLE "calendar_sources" (
	"id" text PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"etag" text,
	"lastModified" text,
	"bodyHash" text,
	"checkedAt" timestamp with time zone NOT NULL,
	"goodAt" timestamp with time zone,
	"readAt" timestamp with time zone,
	"nextTryAt" timestamp with time zone NOT NULL,
	"failures" integer NOT NULL,
	"cause" text,
	"detail" text,
	"items" integer NOT NULL,
	"broken" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_submissions" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"title" text NOT NULL,
	"location" text NOT NULL,
	"description" text NOT NULL,
	"category" text NOT NULL,
	"free" boolean NOT NULL,
	"url" text NOT NULL,
	"day" date NOT NULL,
	"startsAt" timestamp with time zone NOT NULL,
	"endsAt" timestamp with time zone NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"state" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"decidedAt" timestamp with time zone,
	CONSTRAINT "event_submissions_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE INDEX "calendar_events_id" ON "calendar_events" USING btree ("id");--> statement-breakpoint
CREATE INDEX "calendar_events_ends_at" ON "calendar_events" USING btree ("endsAt");