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
