CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text,
	"headers" jsonb NOT NULL,
	"state" text NOT NULL,
	"attempts" integer NOT NULL,
	"dueAt" timestamp with time zone NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"doneAt" timestamp with time zone,
	"fault" text,
	CONSTRAINT "mails_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("state","dueAt");