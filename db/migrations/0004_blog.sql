CREATE TABLE "blog_pictures" (
	"link" text PRIMARY KEY NOT NULL,
	"type" text,
	"bytes" "bytea",
	"fetchedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blog_posts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "blog_posts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"domain" text NOT NULL,
	"slug" text NOT NULL,
	"metaTitle" text NOT NULL,
	"metaDescription" text NOT NULL,
	"date" text NOT NULL,
	"publishAt" timestamp with time zone NOT NULL,
	"pinterestImageLink" text,
	"blog" text NOT NULL,
	"shortTailKeywords" text,
	"longTailKeywords" text,
	"youtubeShortsUrl" text,
	"state" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "blog_posts_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE INDEX "blog_posts_newest" ON "blog_posts" USING btree ("domain","state","publishAt" DESC NULLS FIRST,"id" DESC NULLS FIRST);