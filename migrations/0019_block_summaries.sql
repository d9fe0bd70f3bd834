ALTER TABLE "blocks" ADD COLUMN "summary" jsonb;--> statement-breakpoint
ALTER TABLE "blocks" ADD COLUMN "summary_claimed_at" timestamp with time zone;