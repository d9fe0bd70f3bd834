ALTER TABLE "chat_messages" RENAME COLUMN "replaced_at" TO "hidden_at";--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "lane" text DEFAULT '' NOT NULL;
