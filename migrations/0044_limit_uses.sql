CREATE TABLE "limit_uses" (
	"use_id" uuid NOT NULL,
	"key" text NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "limit_uses_key" ON "limit_uses" USING btree ("key","used_at");--> statement-breakpoint
CREATE INDEX "limit_uses_use" ON "limit_uses" USING btree ("use_id");