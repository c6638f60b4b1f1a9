CREATE TABLE "desk_mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"submissions" jsonb NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"renderedAt" timestamp with time zone,
	CONSTRAINT "desk_mails_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "desk_devices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"secretHash" text NOT NULL,
	"editor" text NOT NULL,
	"name" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"seenAt" timestamp with time zone NOT NULL,
	"expiresAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"editor" text NOT NULL,
	"target" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"expiresAt" timestamp with time zone NOT NULL,
	"usedAt" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "desk_log" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"editorName" text NOT NULL,
	"editor" text NOT NULL,
	"action" text NOT NULL,
	"kind" text NOT NULL,
	"items" jsonb NOT NULL,
	"title" text NOT NULL,
	"note" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "desk_log_newest" ON "desk_log" USING btree ("at");