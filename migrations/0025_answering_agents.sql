ALTER TABLE "chat_messages" ADD COLUMN "agent" uuid;--> statement-breakpoint
ALTER TABLE "share_messages" ADD COLUMN "agent" uuid;--> statement-breakpoint
UPDATE "chat_messages" m SET "agent" = substr(s."chatbot", 7)::uuid FROM "chat_sessions" s
WHERE s."id" = m."sess_id" AND m."role" = 'ai' AND s."chatbot" LIKE 'zhiku-%';--> statement-breakpoint
UPDATE "share_messages" s SET "agent" = m."agent" FROM "chat_messages" m
WHERE m."id" = s."message_id" AND m."agent" IS NOT NULL;
