CREATE TABLE "desk_mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"submissions" jsonb NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"renderedAt" timestamp with time zone,
	CONSTRAINT "desk_mails_key_unique" UNIQUE("key")
);
