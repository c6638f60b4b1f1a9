ALTER TABLE "headline_sightings" ADD COLUMN "title" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "headline_sightings" ADD COLUMN "summary" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "headlines_of_source" ON "headlines" USING btree ("sourceId","shownAt" DESC NULLS LAST);