ALTER TABLE "chat_messages" ADD COLUMN "tone" text;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "liked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "known_end" text;