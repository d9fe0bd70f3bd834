DROP INDEX "chat_messages_session";--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "chosen" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "reasoning" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "reasoning_ms" integer;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "finish" text;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "quick_action" text;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "wants_related" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "related_prompts" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "related_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "platform" text;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "first_text_ms" integer;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "input_tokens" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "output_tokens" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "run_chunks" ADD COLUMN "reasoning" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "chat_messages_path" ON "chat_messages" USING btree ("sess_id","chat_id","id") WHERE "chat_messages"."replaced_at" IS NULL;--> statement-breakpoint
CREATE INDEX "chat_messages_versions" ON "chat_messages" USING btree ("sess_id","parent_id","id");--> statement-breakpoint
-- An answer hangs below its question, a question below the answer that stood before it, the first one below the session.
UPDATE "chat_messages" m SET "chosen" = m."replaced_at" IS NULL, "parent_id" = coalesce(
	CASE WHEN m."role" = 'ai' THEN (
		SELECT q."id" FROM "chat_messages" q
		WHERE q."sess_id" = m."sess_id" AND q."chat_id" = m."chat_id" AND q."role" = 'human' ORDER BY q."id" LIMIT 1
	) ELSE (
		SELECT p."id" FROM "chat_messages" p
		WHERE p."sess_id" = m."sess_id" AND p."chat_id" < m."chat_id" AND p."replaced_at" IS NULL
		ORDER BY p."chat_id" DESC, p."id" DESC LIMIT 1
	) END, m."sess_id");--> statement-breakpoint
ALTER TABLE "chat_messages" ALTER COLUMN "parent_id" SET NOT NULL;--> statement-breakpoint
-- What the line under an answer says, of answers that were charged before there was one.
UPDATE "chat_messages" m SET "platform" = b."platform", "input_tokens" = b."input_tokens",
	"output_tokens" = b."output_tokens", "amount" = b."amount",
	"first_text_ms" = (SELECT round(extract(epoch FROM r."first_text_at" - r."started_at") * 1000)::int FROM "runs" r WHERE r."id" = b."run_id")
FROM "ledger_bills" b WHERE b."run_id" = m."run_id";
