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
