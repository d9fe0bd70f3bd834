ALTER TABLE "tasks" ADD COLUMN "delays" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "retry_at" timestamp with time zone;