CREATE TABLE "chat_terms" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"terms" integer[]
);
--> statement-breakpoint
CREATE TABLE "chat_defaults" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"settings" jsonb NOT NULL
);
--> statement-breakpoint
DROP INDEX "chat_sessions_recent";--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD COLUMN "titled_by" text DEFAULT 'question' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD COLUMN "pinned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD COLUMN "settings" jsonb;--> statement-breakpoint
ALTER TABLE "chat_terms" ADD CONSTRAINT "chat_terms_message_id_chat_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."chat_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_defaults" ADD CONSTRAINT "chat_defaults_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_terms_terms" ON "chat_terms" USING gin ("terms") WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "chat_terms_missing" ON "chat_terms" USING btree ("message_id") WHERE "chat_terms"."terms" IS NULL;--> statement-breakpoint
CREATE INDEX "chat_sessions_recent" ON "chat_sessions" USING btree ("user_id","chatbot","pinned","updated_at");--> statement-breakpoint
-- Messages of before are found too: their terms are made by a job.
INSERT INTO "chat_terms" ("message_id") SELECT "id" FROM "chat_messages" WHERE "text" <> '';
