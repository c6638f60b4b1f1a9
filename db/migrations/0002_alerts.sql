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
CREATE INDEX "alerts_newest" ON "alerts" USING btree ("startsAt");