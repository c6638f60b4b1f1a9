CREATE TABLE "meetings" (
	"source" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
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
CREATE INDEX "meetings_id" ON "meetings" USING btree ("id");--> statement-breakpoint
CREATE INDEX "meetings_ends_at" ON "meetings" USING btree ("endsAt");