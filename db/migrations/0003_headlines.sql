CREATE TABLE "feed_sources" (
	"id" text PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"movedTo" text,
	"etag" text,
	"lastModified" text,
	"bodyHash" text,
	"checkedAt" timestamp with time zone,
	"goodAt" timestamp with time zone,
	"nextTryAt" timestamp with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"cause" text,
	"detail" text,
	"items" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "headlines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "headlines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"identity" text NOT NULL,
	"sourceId" text NOT NULL,
	"title" text NOT NULL,
	"link" text NOT NULL,
	"summary" text NOT NULL,
	"publishedAt" timestamp with time zone,
	"firstSeenAt" timestamp with time zone NOT NULL,
	"shownAt" timestamp with time zone NOT NULL,
	CONSTRAINT "headlines_identity_unique" UNIQUE("identity")
);
--> statement-breakpoint
CREATE TABLE "headline_sightings" (
	"sourceId" text NOT NULL,
	"key" text NOT NULL,
	"headlineId" bigint NOT NULL,
	"link" text NOT NULL,
	"shownAt" timestamp with time zone NOT NULL,
	CONSTRAINT "headline_sightings_sourceId_key_pk" PRIMARY KEY("sourceId","key")
);
--> statement-breakpoint
ALTER TABLE "headline_sightings" ADD CONSTRAINT "headline_sightings_headlineId_headlines_id_fk" FOREIGN KEY ("headlineId") REFERENCES "public"."headlines"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "headlines_shown" ON "headlines" USING btree ("shownAt" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "headline_sightings_shown" ON "headline_sightings" USING btree ("sourceId","shownAt" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "headline_sightings_headline" ON "headline_sightings" USING btree ("headlineId");