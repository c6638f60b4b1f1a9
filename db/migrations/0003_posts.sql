CREATE TABLE "post_images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"post" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"isShown" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "blog_posts" ADD COLUMN "author" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "blog_posts" ADD COLUMN "updated" text;--> statement-breakpoint
ALTER TABLE "blog_posts" ADD COLUMN "corrections" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "blog_posts" ADD COLUMN "image" jsonb;--> statement-breakpoint
ALTER TABLE "event_submissions" ADD COLUMN "origin" text DEFAULT 'reader' NOT NULL;--> statement-breakpoint
ALTER TABLE "post_images" ADD CONSTRAINT "post_images_post_blog_posts_id_fk" FOREIGN KEY ("post") REFERENCES "public"."blog_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_images_post" ON "post_images" USING btree ("post");