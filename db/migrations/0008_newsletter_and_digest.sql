CREATE TABLE "digest_issues" (
	"id" text PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"confirmedBy" timestamp with time zone NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"writtenAt" timestamp with time zone,
	"readers" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "template" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "about" uuid;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "claimedUntil" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "newsletter_subscribers" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "newsletter_subscribers" ADD COLUMN "confirmedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "newsletter_subscribers" ADD COLUMN "tokenHash" text;--> statement-breakpoint
ALTER TABLE "newsletter_subscribers" ADD COLUMN "tokenExpiresAt" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "mails_template" ON "mails" USING btree ("template","dueAt");--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree ("recipient");--> statement-breakpoint
CREATE INDEX "newsletter_subscribers_state" ON "newsletter_subscribers" USING btree ("state","id");--> statement-breakpoint
ALTER TABLE "newsletter_subscribers" ADD CONSTRAINT "newsletter_subscribers_id_unique" UNIQUE("id");--> statement-breakpoint
ALTER TABLE "newsletter_subscribers" ADD CONSTRAINT "newsletter_subscribers_tokenHash_unique" UNIQUE("tokenHash");