ALTER TABLE "chat_messages" ADD COLUMN "feedback" jsonb;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD COLUMN "archived" boolean DEFAULT false NOT NULL;